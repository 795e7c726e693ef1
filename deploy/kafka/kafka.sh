#!/usr/bin/env bash
# One Apache Kafka node (KRaft, no security, one replica) for development and tests. Needs Java 17+ and Maven.
set -euo pipefail

usage() {
  cat >&2 <<'USAGE'
usage: kafka.sh up|down|status|topics [--port N] [--dir D] [-- ARGUMENTS]
  up       start a node on 127.0.0.1:N and wait until it serves; does nothing if it already does
  down     stop it; its data stay in D
  status   say whether it serves (exit status 0) or not (1)
  topics   list topics, or pass ARGUMENTS to Kafka's own tool: kafka.sh topics -- --describe --topic messages
  N is 9092 by default, D is deploy/kafka/run; several nodes may run at once, each with its own port and directory.
  KAFKA_HEAP (default 512m) is the Java heap; KAFKA_SETTINGS are lines to add to the node's settings.
USAGE
  exit 2
}

die() { echo "kafka.sh: $*" >&2; exit 1; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
port=9092
dir=$here/run
verb=${1:-}
[ $# -gt 0 ] && shift
while [ $# -gt 0 ]; do
  case $1 in
    --port) [ $# -ge 2 ] || usage; port=$2; shift 2 ;;
    --dir) [ $# -ge 2 ] || usage; dir=$2; shift 2 ;;
    --) shift; break ;;
    *) usage ;;
  esac
done
case $port in '' | *[!0-9]*) die "--port must be a number, not '$port'" ;; esac
libs=$here/target/lib-$(cksum <"$here/pom.xml" | cut -d' ' -f1)
pid_file=$dir/kafka.pid
log_file=$dir/server.log
wait_seconds=${KAFKA_WAIT_SECONDS:-90}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# The process's own command line is compared, because a number in a stale file may have gone to another process.
node_pid() {
  local pid
  pid=$(cat "$pid_file" 2>/dev/null) || return 1
  [ -n "$pid" ] && ps -ww -p "$pid" -o args= 2>/dev/null | grep -qF "$dir/server.properties" && echo "$pid"
}

need_java() {
  command -v java >/dev/null || die "java is missing: install Java 17 or newer (Debian: apt install default-jre-headless)"
  local major
  major=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
  [ "${major:-0}" -ge 17 ] || die "Java 17 or newer is needed, found ${major:-an unknown version}"
}

fetch_jars() {
  [ -d "$libs" ] && return
  command -v mvn >/dev/null || die "mvn is missing: install Maven (Debian: apt install maven); it fetches Kafka's jars once"
  echo "kafka.sh: fetching Kafka's jars with Maven (once)" >&2
  local partial=$libs.partial.$$
  mkdir -p "$here/target"
  mvn -q -B -Dstyle.color=never -f "$here/pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$partial" >&2 ||
    { rm -rf "$partial"; die "Maven could not fetch Kafka's jars (see above); it needs Maven Central or a mirror of it"; }
  # Two first starts may race: whoever comes second throws its copy away.
  if [ -d "$libs" ]; then rm -rf "$partial"; else mv "$partial" "$libs"; fi
}

run_java() { java -cp "$libs/*" "-Dlog4j2.configurationFile=$here/log4j2.properties" "$@"; }

free_port() {
  local candidate=$1
  while listens "$candidate" || [ "$candidate" -eq "$port" ]; do candidate=$((candidate + 1)); done
  echo "$candidate"
}

write_settings() {
  local controller_port
  controller_port=$(free_port $((port < 50000 ? port + 10000 : port - 10000)))
  cat >"$dir/server.properties" <<SETTINGS
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller_port
listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$controller_port
advertised.listeners=PLAINTEXT://127.0.0.1:$port
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs=$dir/data
auto.create.topics.enable=false
num.partitions=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=16777216
log.cleaner.backoff.ms=1000
${KAFKA_SETTINGS:-}
SETTINGS
}

wait_until_ready() {
  local pid=$1 left=$((wait_seconds * 5))
  until grep -q "Kafka Server started" "$log_file" && listens "$port"; do
    if ! kill -0 "$pid" 2>/dev/null; then
      tail -n 20 "$log_file" >&2
      rm -f "$pid_file"
      die "Kafka stopped while it started; the end of $log_file is above"
    fi
    left=$((left - 1))
    if [ "$left" -le 0 ]; then
      tail -n 20 "$log_file" >&2
      kill "$pid" 2>/dev/null || true
      die "Kafka did not start within $wait_seconds s; the end of $log_file is above"
    fi
    sleep 0.2
  done
}

up() {
  mkdir -p "$dir"
  dir=$(cd "$dir" && pwd)
  pid_file=$dir/kafka.pid
  log_file=$dir/server.log
  local pid
  if pid=$(node_pid); then
    grep -q "^advertised.listeners=PLAINTEXT://127.0.0.1:$port\$" "$dir/server.properties" ||
      die "a node with the data of $dir runs on another port: 'kafka.sh down --dir $dir' first, or choose another --dir"
    wait_until_ready "$pid"
    echo "kafka.sh: already up on 127.0.0.1:$port (process $pid)" >&2
    return
  fi
  listens "$port" && die "port $port is taken by another program: choose another with --port"
  need_java
  fetch_jars
  write_settings
  if [ ! -f "$dir/data/meta.properties" ]; then
    run_java -XX:TieredStopAtLevel=1 kafka.tools.StorageTool format -t factstreamlocalkafkaAA \
      -c "$dir/server.properties" >"$log_file" 2>&1 || { cat "$log_file" >&2; die "the storage in $dir could not be formatted"; }
  fi
  nohup java -cp "$libs/*" "-Dlog4j2.configurationFile=$here/log4j2.properties" "-Xmx${KAFKA_HEAP:-512m}" -Xms64m \
    -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.awt.headless=true kafka.Kafka "$dir/server.properties" \
    >"$log_file" 2>&1 </dev/null &
  pid=$!
  echo "$pid" >"$pid_file"
  wait_until_ready "$pid"
  echo "kafka.sh: up on 127.0.0.1:$port (process $pid, data in $dir)" >&2
}

down() {
  local pid left=150
  [ -d "$dir" ] && dir=$(cd "$dir" && pwd)
  pid_file=$dir/kafka.pid
  pid=$(node_pid) || { rm -f "$pid_file"; echo "kafka.sh: not running in $dir" >&2; return; }
  kill "$pid" 2>/dev/null || true
  while kill -0 "$pid" 2>/dev/null; do
    left=$((left - 1))
    if [ "$left" -eq 0 ]; then kill -9 "$pid" 2>/dev/null || true; fi
    sleep 0.2
  done
  rm -f "$pid_file"
  echo "kafka.sh: stopped process $pid" >&2
}

status() {
  if listens "$port"; then echo "up on 127.0.0.1:$port"; else echo "down: nothing listens on 127.0.0.1:$port"; return 1; fi
}

topics() {
  need_java
  fetch_jars
  listens "$port" || die "nothing listens on 127.0.0.1:$port: 'kafka.sh up --port $port' first"
  [ $# -gt 0 ] || set -- --list
  run_java -Dkafka.log.level=error org.apache.kafka.tools.TopicCommand --bootstrap-server "127.0.0.1:$port" "$@" 
}

case $verb in
  up | down | status) [ $# -eq 0 ] || usage; "$verb" ;;
  topics) topics "$@" ;;
  *) usage ;;
esac
