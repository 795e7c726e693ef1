"""Text in, claims and vectors out: ONNX sessions and the rules of language. Nothing here knows stream or store."""

import os

# Read by ONNX Runtime as it is loaded. Without it every process would report its use to the makers' servers.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
