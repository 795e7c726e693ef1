"""Text in, claims and vectors out: ONNX sessions and the rules of language. Nothing here knows stream or store."""
