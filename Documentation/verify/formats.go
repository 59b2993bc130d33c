// The formats of a bundle, each with one way to write it: JSON, signed notes, records, proofs.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

var (
	number  = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
	instant = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	salt    = regexp.MustCompile(`^[A-Za-z0-9_-]{21}[AQgw]$`)
	empty   = tlog.Hash(sha256.Sum256(nil))
)

// A broken is a rule that is broken. It is a panic up to main, as no check continues after one.
type broken struct{ rule, reason string }

func require(condition bool, rule, reason string, arguments ...any) {
	if !condition {
		panic(broken{rule, fmt.Sprintf(reason, arguments...)})
	}
}

func read(path string) []byte {
	data, err := os.ReadFile(path)
	require(err == nil, "F1", "%v", err)
	return data
}

func contains(list []string, text string) bool {
	for _, item := range list {
		if item == text {
			return true
		}
	}
	return false
}

func digest(path string) string {
	file, err := os.Open(path)
	require(err == nil, "F1", "%v", err)
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	require(err == nil, "F1", "%v", err)
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// canonical returns the value of RFC 8785's JSON without fractions; anything else, a doubled member say, is none.
func canonical(data []byte, limit int) (any, bool) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if len(data) > limit || decoder.Decode(&value) != nil {
		return nil, false
	}
	var text bytes.Buffer
	return value, write(&text, value, 0) && bytes.Equal(text.Bytes(), data)
}

func write(text *bytes.Buffer, value any, depth int) bool {
	switch value := value.(type) {
	case map[string]any:
		if depth == 64 {
			return false
		}
		var names []string
		for name := range value {
			names = append(names, name)
		}
		sort.Slice(names, func(i, j int) bool { return bigEndian(names[i]) < bigEndian(names[j]) })
		for i, name := range names {
			text.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
			write(text, name, depth)
			text.WriteByte(':')
			if !write(text, value[name], depth+1) {
				return false
			}
		}
		text.WriteString(map[bool]string{true: "{}", false: "}"}[len(names) == 0])
	case []any:
		if depth == 64 {
			return false
		}
		text.WriteByte('[')
		for i, item := range value {
			if i > 0 {
				text.WriteByte(',')
			}
			if !write(text, item, depth+1) {
				return false
			}
		}
		text.WriteByte(']')
	case string:
		text.WriteByte('"')
		for _, char := range value {
			if place := strings.IndexRune("\"\\\b\t\n\f\r", char); place >= 0 {
				text.WriteString(`\` + string(`"\btnfr`[place]))
			} else if char < 0x20 {
				fmt.Fprintf(text, `\u%04x`, char)
			} else {
				text.WriteRune(char)
			}
		}
		text.WriteByte('"')
	case json.Number:
		whole, err := strconv.ParseInt(value.String(), 10, 64)
		fmt.Fprint(text, whole)
		return err == nil
	case nil:
		text.WriteString("null")
	default:
		fmt.Fprint(text, value)
	}
	return true
}

// bigEndian is UTF-16, by which RFC 8785 orders names.
func bigEndian(name string) string {
	var text []byte
	for _, unit := range utf16.Encode([]rune(name)) {
		text = append(text, byte(unit>>8), byte(unit))
	}
	return string(text)
}

func unbase64(text string) ([]byte, bool) {
	data, err := base64.StdEncoding.DecodeString(text)
	return data, err == nil && base64.StdEncoding.EncodeToString(data) == text
}

func hashes(lines []string) ([]tlog.Hash, bool) {
	var found []tlog.Hash
	for _, line := range lines {
		data, ok := unbase64(line)
		if !ok || len(data) != tlog.HashSize {
			return nil, false
		}
		found = append(found, *(*tlog.Hash)(data))
	}
	return found, true
}

func isName(name string) bool {
	hidden := func(r rune) bool {
		return r == '+' || unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp)
	}
	return utf8.ValidString(name) && name != "" && len(name) < 256 && strings.IndexFunc(name, hidden) < 0
}

// A key is a verifier key as a line; verifier is nil for types other than Ed25519.
type key struct {
	line, name, id string
	verifier       note.Verifier
}

func parseKeys(path string) (keys []key) {
	for _, line := range strings.Split(string(read(path)), "\n") {
		parts := strings.SplitN(line, "+", 3)
		if line == "" {
			continue
		}
		require(len(parts) == 3 && isName(parts[0]), "K1", "%s: it is not a list of keys", path)
		data, ok := unbase64(parts[2])
		sum := sha256.Sum256([]byte(parts[0] + "\n" + string(data)))
		ok = ok && len(data) == 33 && (data[0] == 1 || data[0] == 4) && parts[1] == fmt.Sprintf("%x", sum[:4])
		require(ok, "K1", "%s: %q is not a key", path, line)
		verifier, _ := note.NewVerifier(line)
		keys = append(keys, key{line, parts[0], string(sum[:4]), verifier})
	}
	require(len(keys) > 0, "K1", "%s: it has no keys", path)
	return keys
}

// A signed is a signed note: its text, and its signatures by the key's name and identifier.
type signed struct {
	text       string
	signatures map[string]string
}

func parseNote(data []byte) (signed, bool) {
	found := signed{signatures: map[string]string{}}
	control := func(r rune) bool { return r < 0x20 && r != '\n' }
	place := bytes.LastIndex(data, []byte("\n\n"))
	if len(data) > 65536 || place < 0 || place+3 > len(data) || !bytes.HasSuffix(data, []byte("\n")) || !utf8.Valid(data) || bytes.IndexFunc(data, control) >= 0 {
		return found, false
	}
	found.text = string(data[:place+1])
	for _, line := range strings.Split(string(data[place+2:len(data)-1]), "\n") {
		words := strings.Split(line, " ")
		if len(words) != 3 || words[0] != "—" || !isName(words[1]) {
			return found, false
		}
		bytes, ok := unbase64(words[2])
		if !ok || len(bytes) < 5 || found.signatures[words[1]+"+"+string(bytes[:4])] != "" {
			return found, false
		}
		found.signatures[words[1]+"+"+string(bytes[:4])] = string(bytes[4:])
	}
	return found, len(found.signatures) <= 64
}

// by returns the log's keys that signed; none also when one of their signatures is wrong.
func (s signed) by(keys []key, origin string) (found []string) {
	for _, key := range keys {
		signature := s.signatures[key.name+"+"+key.id]
		if key.name != origin || key.verifier == nil || signature == "" {
			continue
		}
		if !key.verifier.Verify([]byte(s.text), []byte(signature)) {
			return nil
		}
		found = append(found, key.line)
	}
	return found
}

type checkpoint struct {
	signed
	origin string
	size   int64
	root   tlog.Hash
}

func parseCheckpoint(data []byte, rule string) (c checkpoint) {
	found, ok := parseNote(data)
	lines := strings.Split(found.text, "\n")
	require(ok && len(lines) == 4 && lines[3] == "" && isName(lines[0]) && number.MatchString(lines[1]), rule, "it is not a signed checkpoint")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	root, ok := hashes(lines[2:3])
	require(err == nil && ok && (size > 0 || root[0] == empty), rule, "it is not a checkpoint")
	return checkpoint{found, lines[0], size, root[0]}
}

// held returns the signed checkpoints in a file to which they were appended, with empty lines between them or none.
func held(path string) (found []checkpoint) {
	var data []byte
	isSigned := false
	for _, line := range append(strings.SplitAfter(string(read(path)), "\n"), "end") {
		if isSigned && !strings.HasPrefix(line, "— ") {
			found = append(found, parseCheckpoint(data, "H1"))
			data, isSigned = nil, false
		}
		if len(data) > 0 || line != "\n" && line != "" {
			isSigned = isSigned || strings.HasPrefix(line, "— ") && bytes.HasSuffix(data, []byte("\n\n"))
			data = append(data, line...)
		}
	}
	require(len(found) > 0 && string(data) == "end", "H1", "%s: it is not a file of signed checkpoints", path)
	return found
}

// A record is a line of records.jsonl; fields is nil where they are not there.
type record struct {
	index  int64
	kind   string
	fields map[string]any
	hash   tlog.Hash
}

func parseRecord(line []byte, origin string) (r record) {
	value, ok := canonical(bytes.TrimSuffix(line, []byte("\n")), 8<<20)
	object, _ := value.(map[string]any)
	text, isText := object["leaf"].(string)
	disclosures, isList := object["disclosures"].([]any)
	require(ok && bytes.HasSuffix(line, []byte("\n")) && len(object) == 2 && isText && isList && len(disclosures) < 2, "R1", "a line is not a record")
	var disclosure string
	for _, item := range disclosures {
		disclosure, isText = item.(string)
		require(isText, "R1", "a disclosure is not a text")
	}
	value, ok = canonical([]byte(text), 1<<20)
	leaf, _ := value.(map[string]any)
	index, _ := leaf["index"].(json.Number)
	kind, isKind := leaf["kind"].(string)
	moment, _ := leaf["time"].(string)
	digests, _ := leaf["_sd"].([]any)
	_, err := time.Parse(time.RFC3339, moment)
	ok = ok && len(leaf) == 5 && leaf["schema"] == json.Number("2") && isKind && number.MatchString(index.String())
	ok = ok && instant.MatchString(moment) && moment >= "0001" && err == nil && len(digests) == 1
	require(ok, "R2", "a leaf is not one")
	digest, isText := digests[0].(string)
	require(isText, "R2", "a digest is not a text")
	r.index, _ = index.Int64()
	r.kind, r.hash = kind, tlog.RecordHash([]byte(text))
	if len(disclosures) == 1 {
		sum := sha256.Sum256([]byte(disclosure))
		value, ok = canonical([]byte(disclosure), 1<<20)
		parts, _ := value.([]any)
		require(ok && base64.RawURLEncoding.EncodeToString(sum[:]) == digest && len(parts) == 2, "R3", "record %d: its fields do not match its leaf", r.index)
		random, _ := parts[0].(string)
		r.fields, ok = parts[1].(map[string]any)
		require(ok && salt.MatchString(random), "R3", "record %d: its fields are invalid", r.index)
	}
	first := r.index == 0
	log, isText := r.fields["log"].(string)
	require((kind == "log.genesis") == first && (!first || isText && "voicegate.local/log/"+log == origin), "R6", "a log begins with its only log.genesis")
	return r
}

// A tree is the hashes of nodes from which tlog computes roots.
type tree []tlog.Hash

func (t tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		found[i] = t[index]
	}
	return found, nil
}

func (t tree) root(size int64) tlog.Hash {
	if size == 0 {
		return empty
	}
	root, _ := tlog.TreeHash(size, t)
	return root
}

// parseProof returns the parts of a C2SP tlog-proof: index, hashes, the note, and the extra text.
func parseProof(data []byte, size int64) (index int64, proof []tlog.Hash, note []byte, extra []byte) {
	top, note, ok := bytes.Cut(data, []byte("\n\n"))
	lines := strings.Split(string(top), "\n")
	require(ok && len(lines) > 1 && lines[0] == "c2sp.org/tlog-proof@v1", "P2", "it is not a proof")
	if lines = lines[1:]; strings.HasPrefix(lines[0], "extra ") {
		extra, ok = unbase64(lines[0][6:])
		lines = lines[1:]
	}
	require(ok && len(lines) > 0 && strings.HasPrefix(lines[0], "index ") && number.MatchString(lines[0][6:]), "P2", "it is not a proof")
	index, err := strconv.ParseInt(lines[0][6:], 10, 64)
	proof, ok = hashes(lines[1:])
	if size < 0 {
		size = parseCheckpoint(note, "P2").size
	}
	require(err == nil && ok && index < size, "P2", "it is not a proof")
	below := bits.Len64(uint64(index ^ (size - 1)))
	require(len(proof) == below+bits.OnesCount64(uint64(index)>>below), "P2", "it is not a proof")
	return index, proof, note, extra
}
