// Checks a bundle made by `voicegate audit export`, with Go's own transparency log packages and nothing of VoiceGate's.
//
//	apt install golang-go golang-golang-x-mod-dev
//	GOPATH=/usr/share/gocode GO111MODULE=off go run verify.go BUNDLE [KEYS]
//
// KEYS is a file with the log's verifier keys, one per line, from another source than the bundle. Without it the
// bundle's own log.vkey is used, which shows only that the bundle is consistent.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A line of records.jsonl: the bytes that were hashed, and the text whose hash is in them, or none if it was erased.
type entry struct {
	Leaf        string
	Disclosures []string
}

type leaf struct {
	Digests []string `json:"_sd"`
	Index   int64
}

type checkpoint struct {
	origin string
	size   int64
	root   tlog.Hash
}

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: verify BUNDLE [KEYS]")
		os.Exit(64)
	}
	keys := filepath.Join(os.Args[1], "log.vkey")
	if len(os.Args) == 3 {
		keys = os.Args[2]
	}
	if err := verify(os.Args[1], keys); err != nil {
		fmt.Fprintln(os.Stderr, "does not verify:", err)
		os.Exit(65)
	}
}

func verify(bundle, keys string) error {
	known, err := verifiers(keys)
	if err != nil {
		return fmt.Errorf("%s: %w", keys, err)
	}
	text, err := open(filepath.Join(bundle, "checkpoint"), known)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	head, err := parseCheckpoint(text)
	if err != nil {
		return err
	}
	count, err := checkRecords(bundle, head)
	if err != nil {
		return err
	}
	if err := checkFiles(bundle, head.origin, known); err != nil {
		return err
	}
	fmt.Printf("verified: %d records of %s, which had %d, root %v\n", count, head.origin, head.size, head.root)
	return nil
}

func verifiers(path string) (note.Verifiers, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []note.Verifier
	for _, line := range strings.Fields(string(data)) {
		key, err := note.NewVerifier(line)
		if err != nil {
			return nil, err
		}
		list = append(list, key)
	}
	return note.VerifierList(list...), nil
}

// open returns the text of a signed note that one of the keys signed.
func open(path string, known note.Verifiers) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	signed, err := note.Open(data, known)
	if err != nil {
		return "", err
	}
	return signed.Text, nil
}

func parseCheckpoint(text string) (checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[3] != "" {
		return checkpoint{}, fmt.Errorf("checkpoint: it does not have three lines")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	return checkpoint{lines[0], size, root}, nil
}

// checkRecords checks each record's text against its leaf, and the leaves against the checkpoint: all of them by its
// root, or, if the bundle has proofs, each by its own.
func checkRecords(bundle string, head checkpoint) (int64, error) {
	file, err := os.Open(filepath.Join(bundle, "records.jsonl"))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	_, err = os.Stat(filepath.Join(bundle, "proofs"))
	hasProofs := err == nil
	var stored hashes
	count, last := int64(0), int64(-1)
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			break
		}
		if err != nil {
			return 0, fmt.Errorf("records.jsonl: line %d: %w", count+1, err)
		}
		index, hash, err := checkRecord(line)
		if err != nil {
			return 0, fmt.Errorf("records.jsonl: line %d: %w", count+1, err)
		}
		if index <= last || !hasProofs && index != count {
			return 0, fmt.Errorf("records.jsonl: record %d comes after record %d", index, last)
		}
		if hasProofs {
			err = checkProof(bundle, index, hash, head)
		} else {
			err = stored.append(index, hash)
		}
		if err != nil {
			return 0, fmt.Errorf("record %d: %w", index, err)
		}
		last = index
		count++
	}
	if hasProofs {
		return count, nil
	}
	if count != head.size {
		return 0, fmt.Errorf("records.jsonl: there are %d records, but %d were signed", count, head.size)
	}
	root, err := tlog.TreeHash(count, stored)
	if err == nil && root != head.root {
		err = fmt.Errorf("records.jsonl: these are not the records that were signed")
	}
	return count, err
}

// checkRecord returns the record's index in the log and the hash of its leaf.
func checkRecord(line []byte) (int64, tlog.Hash, error) {
	var record entry
	if err := json.Unmarshal(line, &record); err != nil {
		return 0, tlog.Hash{}, err
	}
	var committed leaf
	if err := json.Unmarshal([]byte(record.Leaf), &committed); err != nil {
		return 0, tlog.Hash{}, err
	}
	if len(committed.Digests) != 1 || len(record.Disclosures) > 1 {
		return 0, tlog.Hash{}, fmt.Errorf("it is not a record")
	}
	for _, text := range record.Disclosures {
		sum := sha256.Sum256([]byte(text))
		if base64.RawURLEncoding.EncodeToString(sum[:]) != committed.Digests[0] {
			return 0, tlog.Hash{}, fmt.Errorf("its fields do not match its leaf's digest")
		}
	}
	return committed.Index, tlog.RecordHash([]byte(record.Leaf)), nil
}

// hashes are the node hashes from which tlog computes the root of a tree.
type hashes []tlog.Hash

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		found[i] = h[index]
	}
	return found, nil
}

func (h *hashes) append(index int64, leaf tlog.Hash) error {
	more, err := tlog.StoredHashesForRecordHash(index, leaf, *h)
	*h = append(*h, more...)
	return err
}

// checkProof checks a record by its C2SP tlog-proof.
func checkProof(bundle string, index int64, hash tlog.Hash, head checkpoint) error {
	data, err := os.ReadFile(filepath.Join(bundle, "proofs", fmt.Sprintf("%d.tlog-proof", index)))
	if err != nil {
		return err
	}
	top, _, _ := strings.Cut(string(data), "\n\n")
	lines := strings.Split(top, "\n")
	if len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" || lines[1] != fmt.Sprintf("index %d", index) {
		return fmt.Errorf("it has no proof")
	}
	var proof tlog.RecordProof
	for _, line := range lines[2:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, hash)
	}
	return tlog.CheckRecord(proof, head.size, head.root, index, hash)
}

// checkFiles checks that each file is the one whose hash was signed, and that there is no other.
func checkFiles(bundle, origin string, known note.Verifiers) error {
	text, err := open(filepath.Join(bundle, "SHA256SUMS.note"), known)
	if err != nil {
		return fmt.Errorf("SHA256SUMS.note: %w", err)
	}
	sums, err := os.ReadFile(filepath.Join(bundle, "SHA256SUMS"))
	if err != nil {
		return err
	}
	if text != fmt.Sprintf("%s/export\n%x\n", origin, sha256.Sum256(sums)) {
		return fmt.Errorf("SHA256SUMS: it differs from the signed list of files")
	}
	expected := map[string]string{}
	for _, line := range strings.Split(strings.TrimSuffix(string(sums), "\n"), "\n") {
		sum, path, _ := strings.Cut(line, "  ")
		expected[path] = sum
	}
	err = filepath.WalkDir(bundle, func(path string, file fs.DirEntry, err error) error {
		name, _ := filepath.Rel(bundle, path)
		if err != nil || file.IsDir() || name == "SHA256SUMS" || name == "SHA256SUMS.note" {
			return err
		}
		if !file.Type().IsRegular() {
			return fmt.Errorf("%s: it is not a regular file", name)
		}
		sum, err := fileSum(path)
		if err == nil && expected[name] != sum {
			err = fmt.Errorf("%s: it differs from the signed file", name)
		}
		delete(expected, name)
		return err
	})
	for name := range expected {
		if err == nil {
			err = fmt.Errorf("%s: the file is missing", name)
		}
	}
	return err
}

func fileSum(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), err
}
