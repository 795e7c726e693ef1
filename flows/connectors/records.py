"""The records that connectors give and take, under the name by which the connectors know them."""

from operators.records import InRecord, OutRecord

__all__ = ["InRecord", "OutRecord"]
