#!/usr/bin/env bash
# perceptron serve: as a user installs it, behind a proxy, and against schemathesis. The step modules runs its tests.
source "$(dirname "$0")/../lib.sh"

cd cmd/perceptron
CGO_ENABLED=0 go build -o "$tmp/perceptron" .

# A table of numbers and words, and one of three classes with missing values.
awk 'BEGIN { srand(3); print "height,weight,colour,y"
	for (i = 0; i < 500; i++) { a = rand(); b = 1000 * rand(); c = rand() < 0.5 ? "red" : "blue"
		print a "," b "," c "," (a + b / 1000 + rand() / 4 > 1.1 ? "up" : "down") } }' >"$tmp/two.csv"
awk 'BEGIN { srand(4); print "a,b,class"
	for (i = 0; i < 500; i++) { a = rand(); print a "," (rand() < 0.1 ? "" : int(3 * rand())) "," int(3 * a) } }' >"$tmp/three.csv"
"$tmp/perceptron" train "$tmp/two.csv" -o "$tmp/two.perceptron" >/dev/null 2>&1
"$tmp/perceptron" train "$tmp/three.csv" --missing mean --category b -o "$tmp/three.perceptron" >/dev/null 2>&1

# serve starts the server with a model. Its process is in $server and its URL in $url.
serve() {
	: >"$tmp/out"
	begin "$tmp/perceptron" serve -m "$@" --no-access >"$tmp/out" 2>>"$tmp/log"
	server=$job
	await "$server" grep -q http "$tmp/out"
	url=$(grep -o 'http.*' "$tmp/out")
}

# schemathesis finds no answer that differs from the description, and no status 5xx.
python=/usr/bin/python3
$python -c 'import venv, ensurepip' 2>/dev/null || need pip3 python3-venv
$python -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install -q schemathesis==4.32.5
for model in two three; do
	cp "$tmp/$model.perceptron" "$tmp/learned.perceptron" # schemathesis teaches it nonsense
	serve "$tmp/learned.perceptron" --address 127.0.0.1:0
	(cd "$tmp" && venv/bin/schemathesis run "$url/openapi.yaml" --max-examples 30 --seed 1 --no-color >"$tmp/found") || {
		cat "$tmp/found"
		exit 1
	}
	tail -1 "$tmp/found"
	kill "$server"
	wait "$server" # it saves, and ends with status 0
	"$tmp/perceptron" evaluate -m "$tmp/learned.perceptron" "$tmp/$model.csv" >/dev/null
done

# The unit is valid. systemd-analyze wants the program to exist.
need systemd-analyze systemd
sed "s|/usr/local/bin/perceptron|$tmp/perceptron|" deploy/perceptron.service >"$tmp/perceptron.service"
systemd-analyze verify "$tmp/perceptron.service"
systemd-analyze security --offline=true "$tmp/perceptron.service" | tail -1
systemd-analyze security --offline=true --threshold=15 "$tmp/perceptron.service" >/dev/null # 1.5 of 10

# nginx with the configuration of deploy/nginx.conf, on another port.
need nginx nginx-light
need openssl openssl
need htpasswd apache2-utils
need curl curl
mkdir "$tmp/nginx"
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=models.example.com -addext subjectAltName=DNS:models.example.com \
	-keyout "$tmp/nginx/perceptron.key" -out "$tmp/nginx/perceptron.crt" 2>/dev/null
htpasswd -bc "$tmp/nginx/perceptron.readers" alice secret 2>/dev/null
htpasswd -bc "$tmp/nginx/perceptron.writers" bob secret 2>/dev/null
serve "$tmp/two.perceptron" --address 127.0.0.1:0 --host models.example.com
sed "s|/etc/nginx/perceptron|$tmp/nginx/perceptron|; s|listen 443|listen 127.0.0.1:18443|; s|http://127.0.0.1:8080|$url|" deploy/nginx.conf >"$tmp/nginx/site"
cat >"$tmp/nginx/nginx.conf" <<END
daemon off;
user root;
pid $tmp/nginx/pid;
error_log $tmp/nginx/errors;
events {}
http {
	access_log off;
	client_body_temp_path $tmp/nginx;
	proxy_temp_path $tmp/nginx;
	include $tmp/nginx/site;
}
END
nginx -t -q -c "$tmp/nginx/nginx.conf"
begin nginx -c "$tmp/nginx/nginx.conf"
proxy=$job
# ask prints the answer and the status on one line.
ask() {
	curl -s -w '%{http_code}' --cacert "$tmp/nginx/perceptron.crt" --resolve models.example.com:18443:127.0.0.1 \
		"https://models.example.com:18443$1" "${@:2}" | tr -d '\r\n'
}
await "$proxy" test -s "$tmp/nginx/pid"
head -c 1100000 /dev/zero >"$tmp/large"
row='{"height":0.9,"weight":"900","colour":"red"}'
expect '.*401 Authorization Required.*401' ask /predict -d "{\"row\":$row}"
expect '\{"class":"up"\}200' ask /predict -u alice:secret -d "{\"row\":$row}"
expect '200' ask /openapi.yaml -u alice:secret -o /dev/null
expect '.*401' ask /update -u alice:secret -d "{\"row\":$row,\"class\":\"up\"}"
expect '\{"predicted":"up","updates":0,"learned":1,"saved":0\}200' ask /update -u bob:secret -d "{\"row\":$row,\"class\":\"up\"}"
expect '.*404 Not Found.*404' ask /metrics -u bob:secret
expect '.*413 Request Entity Too Large.*413' ask /predict -u alice:secret --data-binary "@$tmp/large"
