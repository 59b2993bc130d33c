// Structures and functions of sherpa-onnx's C interface, version 2.0.1, in the order of its ABI; families of models that are not used
// are gaps that must be zero. The asserts hold the offsets of 64-bit systems.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SHERPA_ONNX_VERSION "2.0.1"

struct moonshine {
    // Of models in four parts.
    const char *preprocessor;
    const char *encoder;
    const char *uncached_decoder;
    const char *cached_decoder;
    // Of models in two parts, with `encoder`.
    const char *merged_decoder;
};

struct recognizer_settings {
    int32_t sample_rate;
    int32_t feature_dimension;
    struct {
        uint64_t other_families[12];
        const char *tokens;
        int32_t threads;
        int32_t debug;
        const char *provider;
        uint64_t other_settings[4];
        uint64_t sense_voice[3];
        struct moonshine moonshine;
        uint64_t later_families[36];
    } model;
    uint64_t language_model[2];
    const char *decoding_method;
    uint64_t unused[11];
};

_Static_assert(offsetof(struct recognizer_settings, model.tokens) == 8 + 96, "ABI");
_Static_assert(offsetof(struct recognizer_settings, model.provider) == 8 + 112, "ABI");
_Static_assert(offsetof(struct recognizer_settings, model.moonshine) == 8 + 176, "ABI");
_Static_assert(offsetof(struct recognizer_settings, language_model) == 512, "ABI");
_Static_assert(offsetof(struct recognizer_settings, decoding_method) == 528, "ABI");
_Static_assert(sizeof(struct recognizer_settings) == 624, "ABI");

// The library's own, freed by it. More fields follow.
struct recognizer_result {
    const char *text;
};

struct detector_settings {
    struct {
        const char *path;
        float threshold;
        // Seconds.
        float shortest_silence;
        float shortest_speech;
        // Samples.
        int32_t window;
        float longest_speech;
    } silero;
    int32_t sample_rate;
    int32_t threads;
    const char *provider;
    int32_t debug;
    uint64_t other_detector[4];
};

_Static_assert(offsetof(struct detector_settings, sample_rate) == 32, "ABI");
_Static_assert(offsetof(struct detector_settings, provider) == 40, "ABI");
_Static_assert(sizeof(struct detector_settings) == 88, "ABI");

// Pointers to objects of the library are opaque.
#define SHERPA_ONNX_FUNCTIONS(F)                                                                                       \
    F(SherpaOnnxGetVersionStr, const char *, (void))                                                                   \
    F(SherpaOnnxCreateOfflineRecognizer, const void *, (const struct recognizer_settings *))                           \
    F(SherpaOnnxDestroyOfflineRecognizer, void, (const void *))                                                        \
    F(SherpaOnnxCreateOfflineStream, const void *, (const void *recognizer))                                           \
    F(SherpaOnnxDestroyOfflineStream, void, (const void *))                                                            \
    F(SherpaOnnxAcceptWaveformOffline, void, (const void *stream, int32_t rate, const float *, int32_t count))         \
    F(SherpaOnnxDecodeOfflineStream, void, (const void *recognizer, const void *stream))                               \
    F(SherpaOnnxGetOfflineStreamResult, const struct recognizer_result *, (const void *stream))                        \
    F(SherpaOnnxDestroyOfflineRecognizerResult, void, (const struct recognizer_result *))                              \
    F(SherpaOnnxCreateVoiceActivityDetector, const void *, (const struct detector_settings *, float buffer_seconds))   \
    F(SherpaOnnxDestroyVoiceActivityDetector, void, (const void *))                                                    \
    F(SherpaOnnxVoiceActivityDetectorAcceptWaveform, void, (const void *, const float *, int32_t count))               \
    F(SherpaOnnxVoiceActivityDetectorDetected, int32_t, (const void *))                                                \
    F(SherpaOnnxVoiceActivityDetectorClear, void, (const void *))                                                      \
    F(SherpaOnnxVoiceActivityDetectorReset, void, (const void *))
