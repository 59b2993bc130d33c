"""OpenAI's transcription call in all of its forms, by PyPI's openai client as it is: openai_calls.py SOCKET FILE…

Prints one JSON object with what each call came to. The first file is transcribed in every format, each other one as text.
"""
import json
import sys

import httpx2
import openai

socket, *files = sys.argv[1:]
requests = []


def transport():
    return httpx2.HTTPTransport(uds=socket)


client = openai.OpenAI(
    api_key="x", base_url="http://voicegate/v1",
    http_client=httpx2.Client(
        transport=transport(), timeout=120, event_hooks={"request": [lambda request: requests.append(request.url.path)]}))


def create(file=files[0], **fields):
    with open(file, "rb") as sound:
        return client.audio.transcriptions.create(**{"model": "whisper-1", "file": sound} | fields)


def failing(call):
    """What the client made of a refusal, and how often it tried."""
    before = len(requests)
    try:
        call()
    except openai.APIStatusError as error:
        return {
            "class": type(error).__name__, "status": error.status_code, "code": error.code, "param": error.param,
            "type": error.type, "message": error.body["message"], "reason": error.body["reason"],
            "requests": len(requests) - before}
    return {"class": None}


found = {}
found["refused"] = failing(create)
if found["refused"]["class"] is None:
    found["json"] = create(response_format="json").text
    for format in ["text", "srt", "vtt"]:
        found[format] = create(response_format=format)
    found["segments"] = create(response_format="verbose_json").model_dump()
    found["both"] = create(
        response_format="verbose_json", timestamp_granularities=["word", "segment"], language="en", temperature=0,
        prompt="go forward, ten meters").model_dump()
    found["stream"] = [event.model_dump(exclude_none=True) for event in create(stream=True)]
    found["others"] = [create(file=file).text for file in files[1:]]
    found["models"] = [model.model_dump() for model in client.models.list()]
    found["alias"] = client.models.retrieve("whisper-1").model_dump()
    found["no sound"] = failing(lambda: create(file=__file__))
    found["language"] = failing(lambda: create(language="ja"))
    found["model"] = failing(lambda: create(model="gpt-5"))
    found["no model"] = failing(lambda: client.models.retrieve("gpt-5"))
    found["granularity"] = failing(lambda: create(timestamp_granularities=["word"]))
    # Fields that only other servers know are ignored: OpenAI's own, whisper.cpp's, faster-whisper-server's.
    found["others' fields"] = create(
        include=["logprobs"],
        extra_body={"temperature_inc": "0.2", "no_timestamps": "false", "beam_size": "5", "hotwords": "ten",
                    "vad_filter": "true"}).text
    # What form libraries make of lists and of optional fields, and names of models with a date.
    for model in ["gpt-4o-mini-transcribe-2025-12-15", "gpt-4o-transcribe-diarize", "whisper-1-2026-01-01"]:
        create(model=model)
    url = "http://voicegate/v1/audio/transcriptions"
    with httpx2.Client(transport=transport(), timeout=120) as plain:
        def post(name="file", **fields):
            with open(files[0], "rb") as sound:
                return plain.post(url, data=fields, files={name: ("speech.wav", sound)})
        empty = dict.fromkeys(
            ["model", "language", "prompt", "response_format", "temperature", "stream", "timestamp_granularities[]",
             "chunking_strategy"], "")
        found["empty fields"] = post(**empty).json()["text"]
        found["lists"] = [
            sorted(post(response_format="verbose_json", **{name: value}).json().keys() & {"segments", "words"})
            for name, value in [
                ("timestamp_granularities[0]", "word"), ("timestamp_granularities[]", "word,segment"),
                ("timestamp_granularities", '["word", "segment"]')]]
        found["misnamed"] = [post(name=name).json()["error"]["message"] for name in ["audio_file", "temperature"]]
    found["stream in srt"] = failing(lambda: create(stream=True, response_format="srt"))
    found["no sound, streamed"] = failing(lambda: create(file=__file__, stream=True))
print(json.dumps(found))
