"""Fixtures that several test modules share, and how Hypothesis runs."""

from hypothesis import settings

from tests.kafka_broker import kafka_address, own_broker

__all__ = ["kafka_address", "own_broker"]

# A test is right or wrong, however busy the machine is.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
