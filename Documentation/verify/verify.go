// Checks a bundle of `voicegate audit export`, or a proof of `voicegate audit prove`, with Go's own transparency log
// packages and nothing of VoiceGate's.
//
//	apt install golang-go golang-golang-x-mod-dev
//	GOPATH=/usr/share/gocode GO111MODULE=off go run verify.go formats.go BUNDLE [KEYS] [--checkpoint FILE]...
//	GOPATH=/usr/share/gocode GO111MODULE=off go run verify.go formats.go INDEX.tlog-proof KEYS [--checkpoint FILE]...
//
// KEYS is a file with the log's verifier keys, one per line, from another source than the bundle. Without it the
// bundle's own log.vkey is used, which shows only that the bundle is consistent. FILE has signed checkpoints that you
// kept: the bundle's log must continue them. The rules and their names: Documentation/Bundle.md.
// Exit codes: 0 verified, 64 usage, 65 a rule is broken, 66 a file cannot be read, 76 a checkpoint contradicts the bundle.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

var (
	derived  = []string{"README.txt", "accesses.csv", "consent.jsonld", "decisions.csv", "report.html"}
	small    = []string{"checkpoint", "log.vkey", "scope.json", "SHA256SUMS.note"}
	required = append(append([]string{"SHA256SUMS", "records.jsonl"}, derived...), small...)
	named    = regexp.MustCompile(`^(notices/[0-9a-f]{64}\.txt|proofs/(0|[1-9]\d{0,18})\.tlog-proof|consistency/[1-9]\d{0,18})$`)
	folders  = []string{"notices", "proofs", "consistency"}
	filters  = []string{"client", "since", "subject", "until"}
	sumLine  = regexp.MustCompile(`^([0-9a-f]{64})  (.+)$`)
)

func isUnlisted(name string) bool { return name == "SHA256SUMS" || name == "SHA256SUMS.note" }

// A bundle is what its checks have found so far.
type bundle struct {
	folder string
	names  map[string]bool
	keys   []key
	// note is the file checkpoint.
	note    []byte
	head    checkpoint
	signers []string
	whole   bool
	// copied: a collector made the bundle, which does not have the log's key.
	copied    bool
	collector string
	stored    tree
	notices   map[string]bool
	count     int64
	// changes are the records key.rotated; keys that one of them names are in known.
	changes []rotation
	known   map[any]bool
	notes   []string
}

type rotation struct {
	index int64
	key   any
}

// verifyBundle checks the rules in their order. It returns what to print.
func verifyBundle(folder string, keys []key, kept []checkpoint) []string {
	b := bundle{folder: folder, keys: keys, names: map[string]bool{}, notices: map[string]bool{}, known: map[any]bool{}}
	b.checkNames()
	own := parseKeys(b.path("log.vkey"))
	if keys == nil {
		b.keys = own
	}
	b.note = read(b.path("checkpoint"))
	b.head = parseCheckpoint(b.note, "C1")
	require(len(b.head.by(own, b.head.origin)) > 0, "C2", "checkpoint: no key of log.vkey signed it")
	b.signers = b.head.by(b.keys, b.head.origin)
	require(len(b.signers) > 0, "C2", "checkpoint: no key of %s signed it", b.head.origin)
	b.checkScope()
	b.checkRecords()
	b.checkFolders()
	b.checkList()
	b.checkHeld(kept)
	lines := []string{fmt.Sprintf("verified: %d records of %s, which had %d, root %v", b.count, b.head.origin, b.head.size, b.head.root)}
	unread := "what " + strings.Join(derived, ", ") + " say: they are signed, but not compared with the records"
	if b.copied {
		unread = "what " + strings.Join(derived, ", ") + " say: they are not signed, and not compared with the records"
	}
	for _, text := range append([]string{unread}, b.notes...) {
		lines = append(lines, "not checked: "+text)
	}
	return lines
}

func (b *bundle) path(name string) string { return filepath.Join(b.folder, name) }

func (b *bundle) checkNames() {
	entries, err := os.ReadDir(b.folder)
	require(err == nil, "F1", "%v", err)
	for _, entry := range entries {
		if !entry.IsDir() {
			b.checkName(entry.Name(), entry)
			continue
		}
		require(contains(folders, entry.Name()), "F3", "%q: a bundle has no such folder", entry.Name())
		inner, err := os.ReadDir(b.path(entry.Name()))
		require(err == nil, "F1", "%v", err)
		for _, file := range inner {
			b.checkName(entry.Name()+"/"+file.Name(), file)
		}
	}
	for _, name := range required {
		require(b.names[name] || name == "SHA256SUMS.note", "F4", "%s: the file is missing", name)
	}
}

func (b *bundle) checkName(name string, file os.DirEntry) {
	status, err := file.Info()
	require(err == nil && status.Mode().IsRegular(), "F2", "%q: it is not a regular file", name)
	require(contains(required, name) || named.MatchString(name), "F3", "%q: a bundle has no such file", name)
	limit := int64(256 << 30)
	if contains(small, name) {
		limit = 65536
	} else if strings.Contains(name, "/") {
		limit = 1 << 20
	}
	require(status.Size() <= limit, "F5", "%s: it is larger than such a file can be", name)
	b.names[name] = true
}

func (b *bundle) checkScope() {
	data := read(b.path("scope.json"))
	value, ok := canonical(bytes.TrimSuffix(data, []byte("\n")), 1<<20)
	scope, _ := value.(map[string]any)
	forms := map[string]any{
		"bundle": json.Number(""), "size": json.Number(""), "whole": true, "verification": map[string]any{},
		"language": "", "log": "", "madeAt": "", "timeZone": "", "version": "", "collector": "",
	}
	ok = ok && bytes.HasSuffix(data, []byte("\n")) && scope["bundle"] == json.Number("1")
	isPart := false
	for name, value := range scope {
		form := forms[name]
		if contains(filters, name) {
			form, isPart = "", true
		}
		ok = ok && form != nil && reflect.TypeOf(form) == reflect.TypeOf(value)
	}
	for name := range forms {
		ok = ok && (name == "verification" || name == "collector" || scope[name] != nil)
	}
	require(ok && scope["whole"] == !isPart, "S1", "scope.json: it is not a scope")
	same := scope["log"] == b.head.origin && scope["size"] == json.Number(strconv.FormatInt(b.head.size, 10))
	require(same, "S2", "scope.json: its log or size is not the checkpoint's")
	b.whole = !isPart
	b.collector, b.copied = scope["collector"].(string)
	require(b.names["SHA256SUMS.note"] != b.copied, "F4", "SHA256SUMS.note: the log's own export has it, and no other")
}

func (b *bundle) checkRecords() {
	proofs := map[string]bool{}
	for name := range b.names {
		require(!b.whole || !strings.HasSuffix(name, ".tlog-proof") && !strings.HasPrefix(name, "consistency/"), "P1", "%s: a bundle of the whole log has no proofs", name)
		if strings.HasPrefix(name, "proofs/") {
			proofs[name] = true
		}
	}
	file, err := os.Open(b.path("records.jsonl"))
	require(err == nil, "F1", "%v", err)
	defer file.Close()
	lines := bufio.NewReader(file)
	last, missing := int64(-1), map[int64]bool{}
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			break
		}
		r := parseRecord(line, b.head.origin)
		if b.whole {
			require(r.index == b.count && b.count < b.head.size, "R4", "record %d is missing", b.count)
			more, _ := tlog.StoredHashesForRecordHash(r.index, r.hash, b.stored)
			b.stored = append(b.stored, more...)
		} else {
			require(last < r.index && r.index < b.head.size, "R5", "record %d is out of order", r.index)
			b.checkProof(proofs, r)
		}
		b.take(r, missing)
		b.count, last = b.count+1, r.index
	}
	if b.whole {
		require(b.count == b.head.size, "R4", "there are %d records, but %d were signed", b.count, b.head.size)
		require(b.stored.root(b.count) == b.head.root, "R7", "these are not the records that were signed")
		require(len(missing) == 0 || b.copied, "R8", "the fields of %d records are missing, and no record says why", len(missing))
	}
	require(len(proofs) == 0, "P1", "there are %d proofs of no record", len(proofs))
	require(b.admits(b.signers, b.head.size, b.whole), "R9", "checkpoint: its key had been replaced")
	if len(missing) > 0 {
		b.notes = append(b.notes, fmt.Sprintf("the fields of %d records: they are not included", len(missing)))
	}
}

// take notes what a record says about others: notices, erasures, keys.
func (b *bundle) take(r record, missing map[int64]bool) {
	if r.fields == nil {
		missing[r.index] = true
	}
	if notice, ok := r.fields["notice"].(string); ok {
		b.notices[fmt.Sprintf("notices/%x.txt", sha256.Sum256([]byte(notice)))] = true
	}
	if key, ok := r.fields["key"]; ok && r.kind == "key.rotated" {
		b.changes = append(b.changes, rotation{r.index, key})
		b.known[key], b.known[r.fields["previousKey"]] = true, true
	}
	ranges, _ := r.fields["records"].([]any)
	for _, item := range ranges {
		ends, _ := item.([]any)
		if r.kind != "data.erased" || len(ends) != 2 {
			continue
		}
		first, _ := ends[0].(json.Number)
		end, _ := ends[1].(json.Number)
		from, err := first.Int64()
		to, err2 := end.Int64()
		if err != nil || err2 != nil || from < 0 || from > to || to >= r.index {
			continue
		}
		for index := range missing {
			if from <= index && index <= to {
				delete(missing, index)
			}
		}
	}
}

// admits reports whether one of the keys may sign at this size, by the records key.rotated.
func (b *bundle) admits(signers []string, size int64, knowsAll bool) bool {
	var current any
	for _, change := range b.changes {
		if change.index < size {
			current = change.key
		}
	}
	for _, key := range signers {
		if current == nil || key == current || !knowsAll && !b.known[key] {
			return true
		}
	}
	return false
}

func (b *bundle) checkProof(proofs map[string]bool, r record) {
	name := fmt.Sprintf("proofs/%d.tlog-proof", r.index)
	require(proofs[name], "P1", "%s: the proof is missing", name)
	delete(proofs, name)
	index, proof, note, extra := parseProof(read(b.path(name)), b.head.size)
	require(index == r.index && extra == nil && bytes.Equal(note, b.note), "P2", "%s: it is not this record's proof", name)
	require(tlog.CheckRecord(proof, b.head.size, b.head.root, index, r.hash) == nil, "P3", "%s: it does not prove the record", name)
}

// consistency returns the hashes in the file for a size.
func (b *bundle) consistency(name string) []tlog.Hash {
	top, note, ok := bytes.Cut(read(b.path(name)), []byte("\n\n"))
	lines := strings.Split(string(top), "\n")
	size, err := strconv.ParseInt(strings.TrimPrefix(name, "consistency/"), 10, 64)
	ok = ok && err == nil && size < b.head.size && lines[0] == fmt.Sprintf("old %d", size) && len(lines) <= 66
	proof, isProof := hashes(lines[1:])
	require(ok && isProof && bytes.Equal(note, b.note), "P4", "%s: it is not a consistency proof", name)
	return proof
}

func (b *bundle) checkFolders() {
	for name := range b.names {
		if strings.HasPrefix(name, "consistency/") {
			b.consistency(name)
		}
		if strings.HasPrefix(name, "notices/") {
			require(b.notices[name] && digest(b.path(name)) == name[8:72], "N1", "%s: it is not a notice of the records", name)
			delete(b.notices, name)
		}
	}
	require(len(b.notices) == 0, "N1", "notices of the records are missing")
}

func (b *bundle) checkSignature() {
	signed, ok := parseNote(read(b.path("SHA256SUMS.note")))
	lines := strings.Split(signed.text, "\n")
	ok = ok && len(lines) == 3 && lines[0] == b.head.origin+"/export" && lines[2] == "" && sumLine.MatchString(lines[1]+"  x")
	require(ok, "D1", "SHA256SUMS.note: it is not a list of this log")
	signers := signed.by(b.keys, b.head.origin)
	require(len(signers) > 0, "D2", "SHA256SUMS.note: no key of %s signed it", b.head.origin)
	require(b.admits(signers, b.head.size, b.whole), "R9", "SHA256SUMS.note: its key had been replaced")
	require(digest(b.path("SHA256SUMS")) == lines[1], "D3", "SHA256SUMS: it is not the one that was signed")
}

func (b *bundle) checkList() {
	if b.copied {
		b.notes = append(b.notes, fmt.Sprintf("who made the export: the collector %s does not have the log's key", b.collector))
	} else {
		b.checkSignature()
	}
	listed := map[string]string{}
	text := string(read(b.path("SHA256SUMS")))
	require(strings.HasSuffix(text, "\n"), "D4", "SHA256SUMS: it is cut off")
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		form := sumLine.FindStringSubmatch(line)
		ok := form != nil && !isUnlisted(form[2]) && listed[form[2]] == ""
		require(ok && (contains(required, form[2]) || named.MatchString(form[2])), "D4", "SHA256SUMS: %q", line)
		listed[form[2]] = form[1]
	}
	for name := range b.names {
		require(listed[name] != "" || isUnlisted(name), "D5", "%s: it is not listed", name)
	}
	for name := range listed {
		require(b.names[name], "D5", "%s: the file is missing", name)
	}
	for name, sum := range listed {
		require(digest(b.path(name)) == sum, "D6", "%s: it differs from the list of files", name)
	}
}

func (b *bundle) checkHeld(kept []checkpoint) {
	for _, held := range kept {
		require(held.origin == b.head.origin, "H1", "a checkpoint that you supplied is of another log, %s", held.origin)
		signers := held.by(b.keys, held.origin)
		require(len(signers) > 0, "H1", "no key of the log signed a checkpoint that you supplied")
		admitted := b.admits(signers, held.size, b.whole && held.size <= b.head.size)
		require(admitted, "H2", "the key of the checkpoint of %d records had been replaced", held.size)
		if held.size > b.head.size {
			b.notes = append(b.notes, fmt.Sprintf("a checkpoint of %d records: the bundle ends at %d", held.size, b.head.size))
			continue
		}
		same := held.root == b.head.root
		if held.size == 0 {
			same = true
		} else if held.size < b.head.size && b.whole {
			same = b.stored.root(held.size) == held.root
		} else if held.size < b.head.size {
			name := fmt.Sprintf("consistency/%d", held.size)
			require(b.names[name], "H3", "%s is missing: a checkpoint cannot be compared", name)
			same = tlog.CheckTree(b.consistency(name), b.head.size, b.head.root, held.size, held.root) == nil
		}
		require(same, "contradicts", "the first %d records are not those of the checkpoint that you supplied", held.size)
	}
}

// verifyProof checks a record that was proven alone. It returns what to print.
func verifyProof(path string, keys []key, kept []checkpoint) []string {
	require(keys != nil, "usage", "a proof needs KEYS")
	index, proof, note, line := parseProof(read(path), -1)
	require(line != nil, "P2", "it has no record")
	head := parseCheckpoint(note, "P2")
	require(len(head.by(keys, head.origin)) > 0, "C2", "no key of %s signed the checkpoint", head.origin)
	r := parseRecord(append(line, '\n'), head.origin)
	require(r.index == index, "R5", "the proof is of record %d", index)
	require(tlog.CheckRecord(proof, head.size, head.root, index, r.hash) == nil, "P3", "it does not prove the record")
	lines := []string{fmt.Sprintf("verified: record %d of %s, which had %d: %s", index, head.origin, head.size, line)}
	lines = append(lines, "not checked: whether the key had been replaced")
	for _, held := range kept {
		require(held.origin == head.origin && len(held.by(keys, head.origin)) > 0, "H1", "a checkpoint that you supplied is not one of this log")
		require(held.size >= head.size, "H3", "a proof of one record cannot be compared with a checkpoint of %d", held.size)
		require(held.size > head.size || held.root == head.root, "contradicts", "the checkpoint that you supplied has another root")
		if held.size > head.size {
			lines = append(lines, fmt.Sprintf("not checked: a checkpoint of %d records: the proof ends at %d", held.size, head.size))
		}
	}
	return lines
}

func main() { os.Exit(run(os.Args[1:])) }

// run prints the result and the verdict. It returns the exit code.
func run(arguments []string) (status int) {
	var lines, files, rest []string
	verdict := "verified"
	for place := 0; place < len(arguments); place++ {
		if arguments[place] == "--checkpoint" && place+1 < len(arguments) {
			place++
			files = append(files, arguments[place])
		} else {
			rest = append(rest, arguments[place])
		}
	}
	if len(rest) < 1 || len(rest) > 2 {
		fmt.Fprintln(os.Stderr, "usage: verify BUNDLE [KEYS] [--checkpoint FILE]...")
		return 64
	}
	defer func() {
		if problem := recover(); problem != nil {
			failure := problem.(broken)
			fmt.Fprintln(os.Stderr, "does not verify:", failure.reason)
			lines, verdict, status = nil, failure.rule, 65
			if other, ok := map[string]int{"contradicts": 76, "F1": 66, "usage": 64}[verdict]; ok {
				status = other
			}
		}
		fmt.Println(strings.Join(append(lines, "verdict: "+verdict), "\n"))
	}()
	var keys []key
	var kept []checkpoint
	if len(rest) == 2 {
		keys = parseKeys(rest[1])
	}
	for _, file := range files {
		kept = append(kept, held(file)...)
	}
	if status, err := os.Stat(rest[0]); err == nil && status.Mode().IsRegular() {
		lines = verifyProof(rest[0], keys, kept)
	} else {
		lines = verifyBundle(rest[0], keys, kept)
	}
	return 0
}
