#!/bin/sh
# Appends its input to the file $1. When the file has more than LOG_BYTES bytes, it becomes $1.old, and a
# new one begins.
exec perl -e '
	my ($log, $most) = @ARGV;
	while (defined(my $line = <STDIN>)) {
		rename $log, "$log.old" if -s $log > $most;
		open my $out, ">>", $log or die;
		print $out $line;
		close $out;
	}' "$1" "${LOG_BYTES:-8000000}"
