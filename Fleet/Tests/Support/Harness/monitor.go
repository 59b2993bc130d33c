// Verifies a host's log at a collector with Go's own transparency log packages: the checkpoint's signatures by
// sumdb/note, every entry's inclusion by sumdb/tlog through the collector's tiles.
//
//	apt install golang-go golang-golang-x-mod-dev
//	GOPATH=/usr/share/gocode GO111MODULE=off go run monitor.go PREFIX KEYS [COSIGNER]
//
// PREFIX is the address of the log's tiles, KEYS a file with the host's verifier keys, COSIGNER the collector's verifier key
// (cosignature/v1). Prints the size and the root. Exit codes: 0 verified, 1 it does not verify, 64 usage.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A witness verifies cosignature/v1 (C2SP tlog-cosignature): Ed25519 over a header with the time, and the checkpoint.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }
func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 72 {
		return false
	}
	time := binary.BigEndian.Uint64(signature)
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text)
	return ed25519.Verify(w.key, []byte(message), signature[8:])
}

func newWitness(vkey string) (note.Verifier, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("no verifier key: %s", vkey)
	}
	hash, err := strconv.ParseUint(parts[1], 16, 32)
	if err != nil {
		return nil, err
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 33 || key[0] != 4 {
		return nil, fmt.Errorf("no witness's verifier key: %s", vkey)
	}
	return witness{parts[0], uint32(hash), key[1:]}, nil
}

// A reader of tiles of C2SP tlog-tiles, whose paths have no height: it is always 8.
type reader struct{ prefix string }

func (r reader) get(path string) ([]byte, error) {
	answer, err := http.Get(r.prefix + "/" + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != 200 {
		err = fmt.Errorf("%s: %s", path, answer.Status)
	}
	return data, err
}

func (r reader) Height() int                                { return 8 }
func (r reader) SaveTiles(tiles []tlog.Tile, data [][]byte) {}
func (r reader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range tiles {
		data, err := r.get(strings.Replace(tile.Path(), "tile/8/", "tile/", 1))
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

func (r reader) entries(size int64, each func(index int64, entry []byte) error) error {
	for number := int64(0); number*256 < size; number++ {
		width := min(256, int(size-number*256))
		tile := tlog.Tile{H: 8, L: -1, N: number, W: width}
		data, err := r.get(strings.Replace(tile.Path(), "tile/8/data/", "tile/entries/", 1))
		if err != nil {
			return err
		}
		for place := 0; place < width; place++ {
			if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
				return fmt.Errorf("bundle %d is too short", number)
			}
			end := 2 + int(binary.BigEndian.Uint16(data))
			if err := each(number*256+int64(place), data[2:end]); err != nil {
				return err
			}
			data = data[end:]
		}
	}
	return nil
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func verify(prefix, keyFile string, cosigners []string) error {
	tiles := reader{strings.TrimRight(prefix, "/")}
	lines, err := os.ReadFile(keyFile)
	if err != nil {
		return err
	}
	var verifiers, witnesses []note.Verifier
	for _, line := range strings.Fields(string(lines)) {
		verifier, err := note.NewVerifier(line)
		if err != nil {
			return err
		}
		verifiers = append(verifiers, verifier)
	}
	for _, vkey := range cosigners {
		verifier, err := newWitness(vkey)
		if err != nil {
			return err
		}
		witnesses = append(witnesses, verifier)
	}
	data, err := tiles.get("checkpoint")
	if err != nil {
		return err
	}
	signed, err := note.Open(data, note.VerifierList(verifiers...))
	if err != nil {
		return err
	}
	if len(witnesses) > 0 {
		if _, err := note.Open(data, note.VerifierList(witnesses...)); err != nil {
			return err
		}
	}
	// Their checkpoints begin with another line than ours; the rest is the same.
	parts := strings.SplitN(signed.Text, "\n", 4)
	size, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return err
	}
	root, err := tlog.ParseHash(parts[2])
	if err != nil {
		return err
	}
	tree := tlog.Tree{N: size, Hash: root}
	hashes := tlog.TileHashReader(tree, tiles)
	var all []int64
	var leaves []tlog.Hash
	if err := tiles.entries(size, func(index int64, entry []byte) error {
		all = append(all, tlog.StoredHashIndex(0, index))
		leaves = append(leaves, tlog.RecordHash(entry))
		return nil
	}); err != nil {
		return err
	}
	// Authenticated against the root by the reader.
	proven, err := hashes.ReadHashes(all)
	if err != nil {
		return err
	}
	for index := range proven {
		if proven[index] != leaves[index] {
			return fmt.Errorf("entry %d is not the tree's", index)
		}
	}
	fmt.Println(size, root)
	return nil
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "Usage: monitor PREFIX KEYS [COSIGNER]")
		os.Exit(64)
	}
	if err := verify(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
