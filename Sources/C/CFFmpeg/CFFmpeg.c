#include "CFFmpeg.h"

#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(value) #value
#define SONAME(name, major) name ".so." TEXT(major)

// Each function, and the library that it is in.
#define FUNCTIONS(F)                                                                                                   \
    F(util, av_log_set_level)                                                                                          \
    F(util, av_max_alloc)                                                                                              \
    F(util, av_malloc)                                                                                                 \
    F(util, av_free)                                                                                                   \
    F(util, av_dict_set)                                                                                               \
    F(util, av_dict_free)                                                                                              \
    F(util, av_frame_alloc)                                                                                            \
    F(util, av_frame_free)                                                                                             \
    F(codec, av_packet_alloc)                                                                                          \
    F(codec, av_packet_free)                                                                                           \
    F(codec, av_packet_unref)                                                                                          \
    F(codec, avcodec_find_decoder)                                                                                     \
    F(codec, avcodec_alloc_context3)                                                                                   \
    F(codec, avcodec_free_context)                                                                                     \
    F(codec, avcodec_parameters_to_context)                                                                            \
    F(codec, avcodec_open2)                                                                                            \
    F(codec, avcodec_send_packet)                                                                                      \
    F(codec, avcodec_receive_frame)                                                                                    \
    F(format, avformat_alloc_context)                                                                                  \
    F(format, avformat_open_input)                                                                                     \
    F(format, avformat_find_stream_info)                                                                               \
    F(format, avformat_close_input)                                                                                    \
    F(format, avio_alloc_context)                                                                                      \
    F(format, avio_context_free)                                                                                       \
    F(format, av_read_frame)

#define FIELD(library, name) __typeof__(name) *name;
static struct {
    FUNCTIONS(FIELD)
} ff;

// What people record and send. Each further one is code that a stranger's file reaches.
static const char formats[] =
    "flac,ogg,mp3,aac,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,asf,amr,wav,w64,aiff,caf,au,avi,flv,mpegts,ac3,eac3,wv";
static const char codecs[] =
    "flac,vorbis,opus,mp3float,mp3,mp2float,mp2,mp1float,mp1,aac,aac_latm,alac,wmav1,wmav2,wmapro,wmavoice,wmalossless,"
    "amrnb,amrwb,speex,gsm,gsm_ms,adpcm_ms,adpcm_ima_wav,adpcm_ima_qt,g722,g726,ac3,eac3,wavpack,"
    "pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,"
    "pcm_alaw,pcm_mulaw";
// Bytes that may be read to find out the format, and microseconds of sound to find out the streams.
static const char probe_size[] = "1048576", probe_duration[] = "5000000";

// Of each allocation, and streams of all kinds. An index can be as long as a few bytes of the file say, one for each stream.
static const size_t most_memory = (size_t)128 << 20;
static const char most_streams[] = "64";

enum { buffer_length = 32768, most_channels = 64 };

struct vg_media {
    void *context;
    vg_media_source source;
    vg_media_seek seek;
    int64_t length;
    AVIOContext *io;
    AVFormatContext *format;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame;
    int stream;
    // Streams that the file's beginning declares; later ones replace them, as in files that were joined.
    int first_streams;
    float *samples;
    size_t room;
    int lost;
    int is_ending;
    int is_broken;
};

int vg_media_load(char message[], size_t length) {
    void *util = dlopen(SONAME("libavutil", LIBAVUTIL_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    void *codec = util ? dlopen(SONAME("libavcodec", LIBAVCODEC_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL) : NULL;
    void *format = codec ? dlopen(SONAME("libavformat", LIBAVFORMAT_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!format) {
        snprintf(message, length, "%s", dlerror());
        return -1;
    }
#define RESOLVE(library, name)                                                                                         \
    *(void **)&ff.name = dlsym(library, #name);                                                                        \
    if (!ff.name) {                                                                                                    \
        snprintf(message, length, "FFmpeg's libraries have no %s", #name);                                             \
        return -1;                                                                                                     \
    }
    FUNCTIONS(RESOLVE)
    // Its log could name what a file says.
    ff.av_log_set_level(AV_LOG_QUIET);
    ff.av_max_alloc(most_memory);
    return 0;
}

// A file may name others.
static int refuse(AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)format, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EACCES);
}

static int read_source(void *opaque, uint8_t *target, int count) {
    vg_media *media = opaque;
    int result = media->source(media->context, target, count);
    return result > 0 ? result : AVERROR_EOF;
}

static int64_t seek_source(void *opaque, int64_t offset, int whence) {
    vg_media *media = opaque;
    if (whence & AVSEEK_SIZE) return media->length;
    int64_t position = media->seek(media->context, offset, whence & ~AVSEEK_FORCE);
    return position < 0 ? AVERROR(EINVAL) : position;
}

// Opens a decoder for the stream. 0, or negative.
static int use(vg_media *media, int stream) {
    const AVCodecParameters *parameters = media->format->streams[stream]->codecpar;
    const AVCodec *codec = ff.avcodec_find_decoder(parameters->codec_id);
    AVCodecContext *decoder = codec ? ff.avcodec_alloc_context3(codec) : NULL;
    if (!decoder) return -1;
    AVDictionary *options = NULL;
    ff.av_dict_set(&options, "codec_whitelist", codecs, 0);
    // The speech of a file is recognised by several threads already.
    ff.av_dict_set(&options, "threads", "1", 0);
    decoder->pkt_timebase = media->format->streams[stream]->time_base;
    int result = ff.avcodec_parameters_to_context(decoder, parameters);
    if (result >= 0) result = ff.avcodec_open2(decoder, codec, &options);
    ff.av_dict_free(&options);
    if (result < 0) {
        ff.avcodec_free_context(&decoder);
        return -1;
    }
    if (media->decoder) ff.avcodec_free_context(&media->decoder);
    media->decoder = decoder;
    media->stream = stream;
    return 0;
}

static int is_sound(const vg_media *media, unsigned stream) {
    return media->format->streams[stream]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
}

static int open_format(vg_media *media) {
    uint8_t *buffer = ff.av_malloc(buffer_length);
    if (!buffer) return -1;
    media->io = ff.avio_alloc_context(buffer, buffer_length, 0, media, read_source, NULL, media->seek ? seek_source : NULL);
    if (!media->io) {
        ff.av_free(buffer);
        return -1;
    }
    media->format = ff.avformat_alloc_context();
    if (!media->format) return -1;
    media->format->pb = media->io;
    media->format->io_open = refuse;
    media->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    AVDictionary *options = NULL;
    ff.av_dict_set(&options, "format_whitelist", formats, 0);
    ff.av_dict_set(&options, "codec_whitelist", codecs, 0);
    ff.av_dict_set(&options, "protocol_whitelist", "none", 0);
    ff.av_dict_set(&options, "max_streams", most_streams, 0);
    ff.av_dict_set(&options, "probesize", probe_size, 0);
    ff.av_dict_set(&options, "analyzeduration", probe_duration, 0);
    // Frees the format if it fails.
    int result = ff.avformat_open_input(&media->format, NULL, NULL, &options);
    ff.av_dict_free(&options);
    if (result < 0) return -1;
    for (unsigned index = 0; index < media->format->nb_streams; index++)
        if (!is_sound(media, index)) media->format->streams[index]->discard = AVDISCARD_ALL;
    if (ff.avformat_find_stream_info(media->format, NULL) < 0) return -1;
    media->first_streams = (int)media->format->nb_streams;
    for (unsigned index = 0; index < media->format->nb_streams; index++)
        if (is_sound(media, index) && use(media, (int)index) == 0) return 0;
    return -1;
}

vg_media *vg_media_open(void *context, vg_media_source source, vg_media_seek seek, int64_t length) {
    vg_media *media = calloc(1, sizeof *media);
    if (!media) return NULL;
    media->context = context;
    media->source = source;
    media->seek = seek;
    media->length = length;
    media->packet = ff.av_packet_alloc();
    media->frame = ff.av_frame_alloc();
    if (media->packet && media->frame && open_format(media) == 0) return media;
    vg_media_close(media);
    return NULL;
}

void vg_media_close(vg_media *media) {
    ff.avcodec_free_context(&media->decoder);
    ff.avformat_close_input(&media->format);
    if (media->io) {
        // The library may have replaced the buffer.
        ff.av_free(media->io->buffer);
        ff.avio_context_free(&media->io);
    }
    ff.av_packet_free(&media->packet);
    ff.av_frame_free(&media->frame);
    free(media->samples);
    free(media);
}

double vg_media_duration(const vg_media *media) {
    const AVFormatContext *format = media->format;
    const AVStream *stream = format->streams[media->stream];
    if (format->duration_estimation_method == AVFMT_DURATION_FROM_BITRATE) return -1;
    // A film may be longer than its sound.
    if (stream->duration > 0) return (double)stream->duration * stream->time_base.num / stream->time_base.den;
    if (format->nb_streams > 1 || format->duration <= 0) return -1;
    return (double)format->duration / AV_TIME_BASE;
}

int vg_media_lost(const vg_media *media) { return media->lost; }

int vg_media_is_broken(const vg_media *media) { return media->is_broken; }

static int channels_of(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 24, 100)
    return frame->ch_layout.nb_channels;
#else
    return frame->channels;
#endif
}

static float sample(const uint8_t *data, size_t index, enum AVSampleFormat format) {
    switch (format) {
    case AV_SAMPLE_FMT_U8: case AV_SAMPLE_FMT_U8P: return (float)(data[index] - 128) / 128;
    case AV_SAMPLE_FMT_S16: case AV_SAMPLE_FMT_S16P: return (float)((const int16_t *)data)[index] / 32768;
    case AV_SAMPLE_FMT_S32: case AV_SAMPLE_FMT_S32P: return (float)((const int32_t *)data)[index] / 2147483648.0f;
    case AV_SAMPLE_FMT_FLT: case AV_SAMPLE_FMT_FLTP: return ((const float *)data)[index];
    case AV_SAMPLE_FMT_DBL: case AV_SAMPLE_FMT_DBLP: return (float)((const double *)data)[index];
    default: return 0;
    }
}

// 1, 0 if the frame has no sound, or negative without memory.
static int convert(vg_media *media, vg_media_piece *piece) {
    const AVFrame *frame = media->frame;
    const int channels = channels_of(frame), frames = frame->nb_samples;
    if (channels < 1 || channels > most_channels || frames < 1) return 0;
    const size_t count = (size_t)channels * (size_t)frames;
    if (count > media->room) {
        float *larger = realloc(media->samples, count * sizeof(float));
        if (!larger) return -1;
        media->samples = larger;
        media->room = count;
    }
    const enum AVSampleFormat format = frame->format;
    const int is_planar = format >= AV_SAMPLE_FMT_U8P && format <= AV_SAMPLE_FMT_DBLP;
    for (int channel = 0; channel < channels; channel++)
        for (int index = 0; index < frames; index++)
            media->samples[(size_t)index * channels + channel] =
                is_planar ? sample(frame->extended_data[channel], index, format)
                          : sample(frame->extended_data[0], (size_t)index * channels + channel, format);
    *piece = (vg_media_piece){media->samples, frames, channels, frame->sample_rate};
    return 1;
}

// Gives the decoder the next packet, or the end.
static void feed(vg_media *media) {
    int result = ff.av_read_frame(media->format, media->packet);
    if (result < 0) {
        media->is_broken = result != AVERROR_EOF;
        media->is_ending = 1;
        ff.avcodec_send_packet(media->decoder, NULL);
        return;
    }
    const int stream = media->packet->stream_index;
    if (stream >= media->first_streams && stream != media->stream && is_sound(media, (unsigned)stream))
        if (use(media, stream) < 0) media->lost++;
    if (stream == media->stream && ff.avcodec_send_packet(media->decoder, media->packet) < 0) media->lost++;
    ff.av_packet_unref(media->packet);
}

int vg_media_read(vg_media *media, vg_media_piece *piece) {
    while (1) {
        int result = ff.avcodec_receive_frame(media->decoder, media->frame);
        if (result == 0) {
            result = convert(media, piece);
            if (result == 0) continue;
            media->lost = 0;
            return result;
        }
        if (result == AVERROR_EOF) return 0;
        if (result != AVERROR(EAGAIN)) media->lost++;
        if (media->is_ending) return 0;
        feed(media);
    }
}
