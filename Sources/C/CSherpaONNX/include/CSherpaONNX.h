// The part of sherpa-onnx that VoiceGate uses, loaded at run time by path: the library comes with an engine, not with the
// package. One library in a process; its functions may be called by several threads, each on its own objects except where noted.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct vg_speech_model vg_speech_model;
typedef struct vg_voice_detector vg_voice_detector;

// Loads libsherpa-onnx-c-api.so, which finds libonnxruntime.so beside it (its RPATH is $ORIGIN). Returns 0, or -1 with the
// reason in `message`: it cannot be loaded, a function is missing, or its version is not the one whose structures
// sherpa_onnx.h declares. Call it once, before any other function.
int vg_onnx_load(const char *path, char message[], size_t length);

// A Moonshine model: paths of its encoder, its decoder and its tokens. NULL if the library refuses. On damaged files the
// library ends the process instead.
vg_speech_model *vg_speech_model_open(const char *encoder, const char *decoder, const char *tokens);
void vg_speech_model_close(vg_speech_model *model);

// The text of the samples (16 kHz, -1…1), to be freed by the caller, or NULL if the library reports none. One thread; several
// threads may decode with the same model.
char *vg_speech_model_text(const vg_speech_model *model, const float samples[], int32_t count);

// Samples that the detector judges at once: 32 ms.
enum { vg_voice_window = 512 };

// Silero's detector of voices, from its file. NULL if the library refuses.
vg_voice_detector *vg_voice_detector_open(const char *path, float threshold);
void vg_voice_detector_close(vg_voice_detector *detector);

// Whether the next window has a voice, 1 or 0. The detector remembers the ones before.
int vg_voice_detector_take(vg_voice_detector *detector, const float samples[vg_voice_window]);

// Forgets what was heard.
void vg_voice_detector_reset(vg_voice_detector *detector);
