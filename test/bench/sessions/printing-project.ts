import { type TestRepository, testRepository } from '../../support/test-repository.ts'

export type Printing = {
  readonly linesEach: number
  readonly linesASecond: number
  /** The programs start to print when this file exists. */
  readonly goFile: string
}

/**
 * Prints numbered lines with the time in microseconds, at a fixed rate. It starts no processes, because two hundred of
 * these programs must cost less than the daemon that they measure.
 */
const PRINT = `
exec 9<> <(:)
print_lines() {
  until [[ -e $GO_FILE ]]; do read -rt 0.2 -u 9; done
  local begun=\${EPOCHREALTIME/./} number left pause
  for ((number = 1; number <= LINES_EACH; number++)); do
    left=$((begun + number * 1000000 / LINES_A_SECOND - \${EPOCHREALTIME/./}))
    if ((left > 0)); then
      printf -v pause '0.%06d' "$left"
      read -rt "$pause" -u 9
    fi
    print_line "$number" "\${EPOCHREALTIME/./}"
  done
}
`

const PLAIN = `${PRINT}
print_line() { echo "line $1 $2"; }
print_lines
`

/** The same over the Agent Client Protocol, with one message per line. */
const SPOKEN = `${PRINT}
print_line() {
  echo '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"bench","update":{"sessionUpdate":"agent_message_chunk","messageId":"'"$1"'","content":{"type":"text","text":"line '"$1 $2"'"}}}}'
}
answer() { echo '{"jsonrpc":"2.0","id":'"\${BASH_REMATCH[1]}"',"result":'"$1"'}'; }
while IFS= read -r request; do
  [[ $request =~ \\"id\\":([0-9]+) ]] || continue
  case $request in
    *'"method":"initialize"'*) answer '{"protocolVersion":1,"agentCapabilities":{}}' ;;
    *'"method":"session/new"'*) answer '{"sessionId":"bench"}' ;;
    *'"method":"session/prompt"'*)
      print_lines
      answer '{"stopReason":"end_turn"}'
      exit
      ;;
  esac
done
`

/** A repository with two agents that print: `plain`, and `spoken`, which has a dialogue. */
export function printingProject(printing: Printing): Promise<TestRepository> {
  const env = {
    LC_ALL: 'C',
    GO_FILE: printing.goFile,
    LINES_EACH: String(printing.linesEach),
    LINES_A_SECOND: String(printing.linesASecond),
  }
  const agents = {
    plain: { provider: 'command', command: ['/bin/bash', 'plain.sh'], roles: ['worker'], env },
    spoken: { provider: 'acp', command: ['/bin/bash', 'spoken.sh'], roles: ['reviewer'], env },
  }
  return testRepository({
    'plain.sh': PLAIN,
    'spoken.sh': SPOKEN,
    'muster.yaml': JSON.stringify({ version: 1, checks: [], agents }),
  })
}
