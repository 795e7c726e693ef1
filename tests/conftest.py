"""Fixtures that several test modules share."""

from tests.kafka_broker import kafka_address, own_broker

__all__ = ["kafka_address", "own_broker"]
