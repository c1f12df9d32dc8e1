package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// TestS3: shards and checkpoint may be in S3. The server is a fake one on this machine.
func TestS3(t *testing.T) {
	backend := s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	defer server.Close()
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "here", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
	} {
		t.Setenv(name, value)
	}
	shards := noisy(1, 100, 4).split(3)
	c := setUp(t, shards)
	for _, name := range must(filepath.Glob(c.pattern))(t) {
		if err := write(t.Context(), "s3://bucket/data/"+filepath.Base(name), must(os.ReadFile(name))(t)); err != nil {
			t.Fatal(err)
		}
	}
	c.pattern, c.checkpoint = "s3://bucket/data/*.svm", "s3://bucket/checkpoint.json"
	for _, c.rounds = range []int{2, 4} {
		if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, c.rounds)) {
			t.Errorf("after %d rounds: %+v", c.rounds, got.State)
		}
	}
	list := must(backend.ListBucket("bucket", nil, gofakes3.ListBucketPage{}))(t)
	if len(list.Contents) != 5 {
		t.Errorf("%d objects, want three shards, a checkpoint and a block", len(list.Contents))
	}
}
