package main

import (
	"fmt"
	"strings"
)

// remedies says what to do about errors of Flink, by a part of their text.
var remedies = [][2]string{
	{"TimeoutException: Timeout has occurred", "Flink probably has too few free slots: use a lower --parallelism, or more slots"},
	{"NoResourceAvailableException", "Flink has too few free slots: use a lower --parallelism, or more slots"},
	{"error=13, Permission denied", "the command in --environment_config must be executable on every TaskManager"},
	{"error=2, No such file", "every TaskManager needs the command in --environment_config"},
	{"job failed to prepare", "--endpoint must be the address of Beam's job server, and it must run"},
	{"java.net.ConnectException: Connection refused", "the JobManager does not answer to the job server, or a worker is gone"},
	{"Too little memory provided to sorter", "a slot has too little managed memory for the rounds of a pipeline: use a smaller -chunk, or a larger taskmanager.memory.managed.size"},
	{"maximum size of a sort buffer", "the parts of a slot are too large to sort: set taskmanager.runtime.large-record-handler: true, or use a smaller -chunk"},
	{"direct buffer memory", "a TaskManager has too little direct memory: raise its -XX:MaxDirectMemorySize"},
}

// advise adds to an error of the runner what to do about it, if that is known.
func advise(err error) error {
	for _, r := range remedies {
		if err != nil && strings.Contains(err.Error(), r[0]) {
			err = fmt.Errorf("%w\n%s", err, r[1])
		}
	}
	return err
}
