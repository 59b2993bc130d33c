"""What follows from the socket's description."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import unittest
from unittest.mock import patch

from voicegate._socket import default_language, default_socket
from voicegate.errors import BY_CODE

PYTHON = pathlib.Path(__file__).resolve().parents[1]


class Description(unittest.TestCase):
    def test_the_generated_files_are_current(self) -> None:
        check = subprocess.run([sys.executable, PYTHON / "generate", "--check"], capture_output=True, text=True)
        self.assertEqual((check.stdout, check.returncode), ("", 0), "run Sources/Client/Python/generate")

    def test_each_code_of_a_refusal_has_its_class(self) -> None:
        description = PYTHON.parents[2] / "Sources/Service/Server/OpenAPI/openapi.json"
        schemas = json.loads(description.read_text())["components"]["schemas"]
        both = schemas["RefusalCode"], schemas["ErrorCode"]
        refusals, errors = (set(schema.get("enum") or schema["x-extensible-enum"]) for schema in both)
        self.assertLessEqual(refusals, set(BY_CODE))
        self.assertLessEqual(set(BY_CODE), refusals | errors)


class Places(unittest.TestCase):
    def test_the_socket_is_the_users_unless_the_environment_or_root_says_another(self) -> None:
        named = {"VOICEGATE_SOCKET": "/a/b.sock", "XDG_RUNTIME_DIR": "/run/x/"}
        self.assertEqual(default_socket(named), "/a/b.sock")
        with patch("voicegate._socket.is_roots", lambda _: False):
            self.assertEqual(default_socket(named | {"VOICEGATE_SOCKET": "b"}), "/run/x/voicegate/voicegate.sock")
            with patch("voicegate._socket._is_private", lambda _: False):
                self.assertEqual(default_socket({}), f"/tmp/voicegate-{os.getuid()}/voicegate.sock")
        with patch("voicegate._socket.is_roots", lambda _: True):
            self.assertEqual(default_socket({"XDG_RUNTIME_DIR": "/run/x"}), "/run/voicegate/voicegate.sock")

    def test_the_language_is_the_locales(self) -> None:
        for locale, language in [("ja_JP.UTF-8", "ja"), ("ko", "ko"), ("C.UTF-8", "en"), ("de_DE", "en")]:
            self.assertEqual(default_language({"LC_ALL": "", "LANG": locale}), language)


if __name__ == "__main__":
    unittest.main()
