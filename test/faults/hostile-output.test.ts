import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireEvent, WireSession } from '../../src/client/index.ts'
import { agentOutput, agentText } from '../support/agent-output.ts'
import { quickHome } from '../support/quick-home.ts'
import { type TestDaemon, type TestHome, until } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** Of the daemon, while two such programs print at once. */
const MOST_GROWTH_MB = 300
/** Of a neighbour's line, on a machine that others use too. */
const MOST_DELAY_MS = 3_000
/** Ten times what it takes on a machine that is not shared. */
const LIMIT_MS = 180_000

const UPDATE =
  '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%01000d"}}}}'
const PIECES = 80
const PIECE = 65_536
const SLOWLY = `for number in {1..${PIECES}}; do printf '%0${PIECE}d' 7; done`
const NONSENSE = [
  `for number in {1..300}; do printf '\\377\\376 \\360\\237 \\0 %s\\n' "$number"; printf '{"type":"text","te\\n'; printf '{"jsonrpc":"2.0","method\\n'; done`,
  `printf '[%.0s' {1..100000}; echo`,
  `printf '{"a":%.0s' {1..100000}; echo`,
].join('\n')

/** What each program prints: alone, and after it has taken its prompt in the Agent Client Protocol. */
const HOSTILITIES = {
  gigabyte: {
    plain: `yes "$(printf '%01000d' 7)" | head -c 1000000000`,
    spoken: `yes "$(printf '${UPDATE}' 7)" | head -c 1000000000`,
  },
  endless: {
    plain: `yes "$(printf '%01000d' 7)"`,
    spoken: `yes "$(printf '${UPDATE}' 7)"`,
  },
  line: {
    plain: `head -c 100000000 /dev/zero | tr '\\0' x`,
    spoken: `head -c 100000000 /dev/zero | tr '\\0' x`,
  },
  blank: { plain: `yes '' | head -n 3000000; echo over`, spoken: `yes '' | head -n 3000000` },
  nonsense: { plain: `${NONSENSE}\necho over`, spoken: NONSENSE },
  slow: {
    plain: `${SLOWLY}; echo; echo over`,
    spoken: `printf '%s' '${UPDATE.split('%')[0]}'; ${SLOWLY}; echo '${UPDATE.split('d').at(-1)}'`,
  },
} as const
type Hostility = keyof typeof HOSTILITIES

/** The least of the protocol: a handshake, one prompt, and an answer to it after whatever was printed. */
const SPEAK = `
answer() { echo '{"jsonrpc":"2.0","id":'"\${BASH_REMATCH[1]}"',"result":'"$1"'}'; }
while IFS= read -r request; do
  [[ $request =~ \\"id\\":([0-9]+) ]] || continue
  case $request in
    *'"method":"initialize"'*) answer '{"protocolVersion":1,"agentCapabilities":{}}' ;;
    *'"method":"session/new"'*) answer '{"sessionId":"s"}' ;;
    *'"method":"session/prompt"'*)
      source "$1"
      answer '{"stopReason":"end_turn"}'
      exit
      ;;
  esac
done
`

/** Prints a number and the time in microseconds every 50 ms until it is told to end. */
const NEIGHBOUR = `
exec 9<> <(:)
number=0
until [[ -e $ENOUGH ]]; do
  echo "line $((++number)) \${EPOCHREALTIME/./}"
  read -rt 0.05 -u 9
done
echo "last $number"
`

function hostileProject(enough: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = { 'speak.sh': SPEAK, 'neighbour.sh': NEIGHBOUR }
  const env = { LC_ALL: 'C', ENOUGH: enough }
  const agents: Record<string, object> = {
    neighbour: { provider: 'command', command: ['/bin/bash', 'neighbour.sh'], roles: ['worker'], env },
  }
  for (const [name, { plain, spoken }] of Object.entries(HOSTILITIES)) {
    files[`plain-${name}.sh`] = `${plain}\n`
    files[`spoken-${name}.sh`] = `${spoken}\n`
    const [alone, asked] = [`plain-${name}`, `spoken-${name}`]
    agents[alone] = { provider: 'command', command: ['/bin/bash', `${alone}.sh`], roles: [], env }
    agents[asked] = {
      provider: 'acp',
      command: ['/bin/bash', 'speak.sh', `${asked}.sh`],
      roles: [],
      env,
    }
  }
  return { ...files, 'muster.yaml': JSON.stringify({ version: 1, checks: [], agents }) }
}

let home: TestHome
let repository: TestRepository
let daemon: TestDaemon

beforeAll(async () => {
  home = await quickHome()
  repository = await testRepository(hostileProject(join(home.home, 'enough')))
  daemon = await home.start()
})
afterAll(async () => {
  await home[Symbol.asyncDispose]()
  await repository[Symbol.asyncDispose]()
})

function take<Value>(
  answer: { ok: true; value: Value } | { ok: false; failure: { message: string } },
): Value {
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}

async function open(agent: string): Promise<string> {
  const request = { repositoryPath: repository.path, agent, prompt: 'Go.' }
  return take(await daemon.client.openSession(request)).id
}

async function sessionWhen(id: string, status: WireSession['status']): Promise<WireSession> {
  await until(async () => take(await daemon.client.getSession(id)).status === status, LIMIT_MS)
  return take(await daemon.client.getSession(id))
}

/** The last events of a session that is over: its words before the end, and the end. */
async function lastEvents(id: string): Promise<readonly WireEvent[]> {
  await sessionWhen(id, 'terminated')
  return take(await daemon.client.listSessionEvents(id, { tail: 3 })).items
}

async function textsOf(id: string) {
  const { items } = take(await daemon.client.listSessionEvents(id, { limit: 500 }))
  return items.map(agentOutput).filter((output) => output?.type === 'text')
}

async function megabytes(field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${daemon.pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
}

type Witness = { readonly numbers: readonly number[]; readonly last: number; readonly slowestMs: number }

/** A session that prints in peace beside what is done, and what became of its lines. */
async function withNeighbour(act: () => Promise<void>): Promise<Witness> {
  const enough = join(home.home, 'enough')
  await rm(enough, { force: true })
  const id = await open('neighbour')
  const witness = watchNeighbour(id)
  await sessionWhen(id, 'running')
  await act()
  await writeFile(enough, '')
  return await witness
}

async function watchNeighbour(id: string): Promise<Witness> {
  const numbers: number[] = []
  let last = 0
  let slowestMs = 0
  for await (const event of daemon.client.followSession(id, { signal: AbortSignal.timeout(LIMIT_MS) })) {
    const [word, number, printedAt] = agentText(event).split(' ')
    if (word === 'last') last = Number(number)
    if (word !== 'line') continue
    numbers.push(Number(number))
    const now = performance.timeOrigin + performance.now()
    slowestMs = Math.max(slowestMs, now - Number(printedAt) / 1000)
  }
  return { numbers, last, slowestMs }
}

/** Lets both programs do their worst and says what it cost everybody else. */
async function endure(hostility: Hostility, act: (ids: readonly string[]) => Promise<void>): Promise<void> {
  // The kernel's mark of the most memory ever held begins anew.
  await writeFile(`/proc/${daemon.pid}/clear_refs`, '5')
  const before = await megabytes('VmRSS')
  const neighbour = await withNeighbour(async () => {
    await act(await Promise.all([open(`plain-${hostility}`), open(`spoken-${hostility}`)]))
  })
  const growth = (await megabytes('VmHWM')) - before
  expect(neighbour.last).toBeGreaterThan(0)
  expect(neighbour.numbers).toEqual(Array.from({ length: neighbour.last }, (_, index) => index + 1))
  expect(neighbour.slowestMs).toBeLessThan(MOST_DELAY_MS)
  expect(growth).toBeLessThan(MOST_GROWTH_MB)
}

describe('a program that prints', { timeout: LIMIT_MS }, () => {
  it.each(['gigabyte', 'line'] as const)(
    'too much (%s) is cut at the cap, which is recorded, and ends',
    async (hostility) => {
      await endure(hostility, async (ids) => {
        for (const id of ids) {
          const end = (await lastEvents(id)).at(-1)
          expect(end).toMatchObject({ type: 'session_ended', data: { truncated: ['out'] } })
        }
      })
    },
  )

  it.each(['blank', 'nonsense'] as const)('%s lines is heard to its end', async (hostility) => {
    await endure(hostility, async ([plain = '', spoken = '']) => {
      const [words, end] = (await lastEvents(plain)).slice(-2)
      expect(words === undefined ? '' : agentText(words)).toMatch(/(^|\n)over$/)
      expect(end).toMatchObject({ type: 'session_ended', data: { ending: 'done' } })
      expect(end).not.toHaveProperty('data.truncated')
      expect((await sessionWhen(spoken, 'terminated')).turn).toMatchObject({ type: 'done' })
    })
  })

  it('one line of five megabytes in many pieces is heard whole where it means something', async () => {
    await endure('slow', async ([plain = '', spoken = '']) => {
      await sessionWhen(plain, 'terminated')
      const said = await textsOf(plain)
      const pieces = said.filter((data) => data.isPiece === true)
      expect(pieces.map((data) => data.text).join('')).toHaveLength(PIECES * PIECE)
      expect(said.slice(pieces.length).map((data) => data.text)).toEqual(['over'])
      expect((await sessionWhen(spoken, 'terminated')).turn).toMatchObject({ type: 'done' })
      const [message, ...rest] = await textsOf(spoken)
      expect(message?.text).toMatch(/^0{65535}7\n\[\d+ more bytes were left out\]$/)
      expect(rest).toEqual([])
    })
  })

  it('without end can be stopped', async () => {
    await endure('endless', async (ids) => {
      for (const id of ids) {
        await until(async () => take(await daemon.client.listSessionEvents(id, { tail: 9 })).items.length > 8)
        take(await daemon.client.stopSession(id, { reason: 'enough' }))
      }
      for (const id of ids) {
        expect((await lastEvents(id)).at(-1)).toMatchObject({
          type: 'session_ended',
          data: { ending: 'cancelled' },
        })
      }
    })
  })
})
