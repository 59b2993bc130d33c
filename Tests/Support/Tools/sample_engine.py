#!/usr/bin/env python3
"""Writes an engine that cannot recognise anything, sample-1.0-py3-none-any.whl and its engine.yaml:

sample_engine.py FOLDER free|not-free
"""
import hashlib
import json
import os
import sys
import zipfile

NAME = "sample-1.0-py3-none-any.whl"


def main(folder, freedom):
    model = bytes(range(256)) * 256
    wheel = os.path.join(folder, NAME)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sample/model.onnx", model)
    with open(wheel, "rb") as file:
        data = file.read()

    def described(content):
        return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}

    free = freedom == "free"
    entry = {
        "id": "sample", "name": "Sample", "version": "1.0", "description": "For tests.", "languages": ["en"],
        "tasks": ["dictation"], "inputs": ["live", "file"], "partialTexts": False, "wordTimes": False,
        "confidences": False,
        "recognizer": {"family": "moonshine", **dict.fromkeys(["encoder", "decoder", "tokens", "detector"], "model.onnx")},
        "licences": {"code": ["MIT"], "weights": "MIT" if free else "CC-BY-NC-4.0"}, "free": free,
        "artefacts": [{
            "package": "sample", "version": "1.0", "file": NAME, **described(data),
            "contents": [{"path": "sample/model.onnx", "name": "model.onnx", **described(model)}],
        }],
    }
    # JSON is YAML.
    with open(os.path.join(folder, "engine.yaml"), "w", encoding="utf-8") as file:
        json.dump(entry, file, indent=1)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
