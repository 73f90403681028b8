import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireEvent, WireSession } from '../../src/client/index.ts'
import { agentOutput, agentText } from '../support/agent-output.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { until } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** How much the daemon's memory may grow while two such programs print at once. */
const MOST_GROWTH_MB = 300
/** How late a line of another session may arrive, on a machine that others use too. */
const MOST_DELAY_MS = 3_000
/** Ten times as long as a test takes on a quiet machine. */
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

/** What each program prints: as a plain command, and after its prompt in the Agent Client Protocol. */
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

/** The minimum of the protocol: a handshake, one prompt, the hostile output, and the end of the turn. */
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

/** Prints a number and the time in microseconds every 50 ms, until the file ENOUGH exists. */
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

const shared = shareDaemon()
let repository: TestRepository

beforeAll(async () => {
  repository = await testRepository(hostileProject(join(shared.home.home, 'enough')))
})
afterAll(() => repository[Symbol.asyncDispose]())

async function open(agent: string): Promise<string> {
  const request = { repositoryPath: repository.path, agent, prompt: 'Go.' }
  return take(await shared.client.openSession(request)).id
}

async function sessionWhen(id: string, status: WireSession['status']): Promise<WireSession> {
  await until(async () => take(await shared.client.getSession(id)).status === status, LIMIT_MS)
  return take(await shared.client.getSession(id))
}

/** The last events of a session that has ended: its last output, and the end. */
async function lastEvents(id: string): Promise<readonly WireEvent[]> {
  await sessionWhen(id, 'terminated')
  return take(await shared.client.listSessionEvents(id, { tail: 3 })).items
}

async function textsOf(id: string) {
  const { items } = take(await shared.client.listSessionEvents(id, { limit: 500 }))
  return items.map(agentOutput).filter((output) => output?.type === 'text')
}

async function megabytes(field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${shared.daemon.pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
}

type Witness = { readonly numbers: readonly number[]; readonly last: number; readonly slowestMs: number }

/** Runs a well-behaved session during an action, and returns which of its lines arrived and how late. */
async function withNeighbour(act: () => Promise<void>): Promise<Witness> {
  const enough = join(shared.home.home, 'enough')
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
  for await (const event of shared.client.followSession(id, { signal: AbortSignal.timeout(LIMIT_MS) })) {
    const [word, number, printedAt] = agentText(event).split(' ')
    if (word === 'last') last = Number(number)
    if (word !== 'line') continue
    numbers.push(Number(number))
    const now = performance.timeOrigin + performance.now()
    slowestMs = Math.max(slowestMs, now - Number(printedAt) / 1000)
  }
  return { numbers, last, slowestMs }
}

/** Runs both hostile programs, and expects the daemon's memory and another session's lines to be unaffected. */
async function endure(hostility: Hostility, act: (ids: readonly string[]) => Promise<void>): Promise<void> {
  // Resets the kernel's record of the most memory the daemon has used.
  await writeFile(`/proc/${shared.daemon.pid}/clear_refs`, '5')
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
    'too much (%s) is cut off at the cap, which its last event shows',
    async (hostility) => {
      await endure(hostility, async (ids) => {
        for (const id of ids) {
          const end = (await lastEvents(id)).at(-1)
          expect(end).toMatchObject({ type: 'session_ended', data: { truncated: ['out'] } })
        }
      })
    },
  )

  it.each(['blank', 'nonsense'] as const)('%s lines is read to its end', async (hostility) => {
    await endure(hostility, async ([plain = '', spoken = '']) => {
      const [words, end] = (await lastEvents(plain)).slice(-2)
      expect(words === undefined ? '' : agentText(words)).toMatch(/(^|\n)over$/)
      expect(end).toMatchObject({ type: 'session_ended', data: { ending: 'done' } })
      expect(end).not.toHaveProperty('data.truncated')
      expect((await sessionWhen(spoken, 'terminated')).turn).toMatchObject({ type: 'done' })
    })
  })

  it('one line of five megabytes is read in pieces, or as one cut message in a conversation', async () => {
    await endure('slow', async ([plain = '', spoken = '']) => {
      await sessionWhen(plain, 'terminated')
      const said = await textsOf(plain)
      const pieces = said.filter((data) => data.isPiece === true)
      expect(pieces.map((data) => data.text).join('')).toHaveLength(PIECES * PIECE)
      expect(said.slice(pieces.length).map((data) => data.text)).toEqual(['over'])
      expect((await sessionWhen(spoken, 'terminated')).turn).toMatchObject({ type: 'done' })
      const [message, ...rest] = await textsOf(spoken)
      expect(message?.text).toMatch(/^0{65000,}\n\[\d+ more bytes were left out\]$/)
      expect(message?.text.length).toBeLessThanOrEqual(64 * 1024)
      expect(rest).toEqual([])
    })
  })

  it('endlessly can be stopped', async () => {
    await endure('endless', async (ids) => {
      for (const id of ids) {
        await until(async () => take(await shared.client.listSessionEvents(id, { tail: 9 })).items.length > 8)
        take(await shared.client.stopSession(id, { reason: 'enough' }))
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
