#include "CSherpaONNX.h"
#include "sherpa_onnx.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vg_speech_model {
    const void *recognizer;
};

struct vg_voice_detector {
    const void *detector;
};

#define FIELD(name, result, parameters) result(*name) parameters;
static struct {
    SHERPA_ONNX_FUNCTIONS(FIELD)
} library;

// More than one thread takes longer in sum (0.076 instead of 0.035 CPU seconds for a second of audio), and live sessions share
// the machine.
static const int32_t threads = 1;

// Seconds of speech without a pause of 32 ms for which each detector has room from the beginning; more is allocated when needed.
static const float room = 20;

int vg_onnx_load(const char *path, char message[], size_t length) {
    // What onnxruntime needs for a moment is given back to the system: 130 MB remain of a loaded model instead of 148, and 182 of 200
    // while it decodes.
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    // Never unloaded: onnxruntime has threads.
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(message, length, "%s", dlerror());
        return -1;
    }
    const char *missing = NULL;
#define RESOLVE(name, result, parameters)                                                                              \
    *(void **)&library.name = dlsym(handle, #name);                                                                    \
    if (!library.name) missing = #name;
    SHERPA_ONNX_FUNCTIONS(RESOLVE)
    if (missing) {
        snprintf(message, length, "%s has no %s", path, missing);
        return -1;
    }
    const char *version = library.SherpaOnnxGetVersionStr();
    if (strcmp(version, SHERPA_ONNX_VERSION) == 0) return 0;
    snprintf(message, length, "%s is version %s, and this program is made for " SHERPA_ONNX_VERSION, path, version);
    return -1;
}

vg_speech_model *vg_speech_model_open(const char *encoder, const char *decoder, const char *tokens) {
    struct recognizer_settings settings = {.sample_rate = 16000, .feature_dimension = 80};
    settings.model.tokens = tokens;
    settings.model.threads = threads;
    settings.model.provider = "cpu";
    settings.model.moonshine.encoder = encoder;
    settings.model.moonshine.merged_decoder = decoder;
    settings.decoding_method = "greedy_search";
    vg_speech_model *model = malloc(sizeof *model);
    if (!model) return NULL;
    model->recognizer = library.SherpaOnnxCreateOfflineRecognizer(&settings);
    if (model->recognizer) return model;
    free(model);
    return NULL;
}

void vg_speech_model_close(vg_speech_model *model) {
    library.SherpaOnnxDestroyOfflineRecognizer(model->recognizer);
    free(model);
}

char *vg_speech_model_text(const vg_speech_model *model, const float samples[], int32_t count) {
    const void *stream = library.SherpaOnnxCreateOfflineStream(model->recognizer);
    if (!stream) return NULL;
    library.SherpaOnnxAcceptWaveformOffline(stream, 16000, samples, count);
    library.SherpaOnnxDecodeOfflineStream(model->recognizer, stream);
    const struct recognizer_result *result = library.SherpaOnnxGetOfflineStreamResult(stream);
    char *text = result && result->text ? strdup(result->text) : NULL;
    if (result) library.SherpaOnnxDestroyOfflineRecognizerResult(result);
    library.SherpaOnnxDestroyOfflineStream(stream);
    return text;
}

vg_voice_detector *vg_voice_detector_open(const char *path, float threshold) {
    struct detector_settings settings = {.sample_rate = 16000, .threads = threads, .provider = "cpu"};
    settings.silero.path = path;
    settings.silero.threshold = threshold;
    // The library's segments are not used: it reports each window as it is.
    settings.silero.shortest_silence = settings.silero.shortest_speech = 0.001f;
    settings.silero.window = vg_voice_window;
    settings.silero.longest_speech = 86400;
    vg_voice_detector *detector = malloc(sizeof *detector);
    if (!detector) return NULL;
    detector->detector = library.SherpaOnnxCreateVoiceActivityDetector(&settings, room);
    if (detector->detector) return detector;
    free(detector);
    return NULL;
}

void vg_voice_detector_close(vg_voice_detector *detector) {
    library.SherpaOnnxDestroyVoiceActivityDetector(detector->detector);
    free(detector);
}

int vg_voice_detector_take(vg_voice_detector *detector, const float samples[vg_voice_window]) {
    library.SherpaOnnxVoiceActivityDetectorAcceptWaveform(detector->detector, samples, vg_voice_window);
    const int is_voice = library.SherpaOnnxVoiceActivityDetectorDetected(detector->detector) != 0;
    library.SherpaOnnxVoiceActivityDetectorClear(detector->detector);
    return is_voice;
}

void vg_voice_detector_reset(vg_voice_detector *detector) {
    library.SherpaOnnxVoiceActivityDetectorReset(detector->detector);
}
