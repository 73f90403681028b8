import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireSession } from '../../src/client/index.ts'
import { openEmbeddedPostgres } from '../../src/daemon/postgres/open-embedded-postgres.ts'
import { take } from '../support/acp-agent/acp-stage.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { silentLog } from '../support/silent-log.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestDaemon, type TestHome, testHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** Why there is nothing to test here; nothing where there is. */
function findReason(): string | undefined {
  try {
    execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' })
    return undefined
  } catch (error) {
    return `bubblewrap does not work here: ${error instanceof Error ? error.message : error}`
  }
}

/** Tries what it may not do and what it must be able to do, and commits what came of it. */
const PROBE = [
  'try() { name=$1; shift; if "$@" > /dev/null 2>&1; then echo "$name yes"; else echo "$name no"; fi; }',
  '{',
  'try read-key cat "$HOME/.ssh/id"',
  'try read-notes cat "$HOME/notes.txt"',
  'try read-login cat "$HOME/.claude/login"',
  'try read-token cat "$PLACE/token"',
  'try read-database ls "$PLACE/postgres"',
  'try read-log cat "$PLACE/logs/daemon.log"',
  'try read-repository ls "$REPOSITORY/README.md"',
  'try write-system touch /etc/muster-was-here',
  'try write-muster touch "$PLACE/bin/muster"',
  'try write-prompt sh -c "echo >> \\"$MUSTER_PROMPT_FILE\\""',
  'try read-prompt test -s "$MUSTER_PROMPT_FILE"',
  'try write-tree touch in-the-tree.txt',
  'try write-temporary sh -c "mktemp"',
  'try reach-daemon muster agent progress "said from inside"',
  '} > report.txt',
  'echo lost > "$HOME/notes.txt"; echo lost > "$PLACE/lost"; mkdir -p "$HOME/.ssh" && echo lost > "$HOME/.ssh/id"',
  'ls "$PLACE/hosts" > hosts.txt; ls "$PLACE/trees" > trees.txt; env | cut -d= -f1 | sort > names.txt',
  `printf '{"type":"send","to":"person","body":"left inside"}' > "$MUSTER_OUTBOX/.new"`,
  'mv "$MUSTER_OUTBOX/.new" "$MUSTER_OUTBOX/letter.json"',
  'git add -A && git commit -qm "What I could do"',
].join('\n')

const STAND_IN = '#!/bin/sh\nenv | cut -d= -f1 | sort > names.txt; ls -A "$HOME" > home.txt\n'

const REFUSED = ['key', 'notes', 'login', 'token', 'database', 'log', 'repository'].map(
  (what) => `read-${what} no`,
)
const WRITES_REFUSED = ['system', 'muster', 'prompt'].map((what) => `write-${what} no`)

const reason = findReason()

describe.skipIf(reason !== undefined)(
  `a sandboxed session${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    const stack = new AsyncDisposableStack()
    let home: TestHome
    let person: string
    let repository: TestRepository
    let closed: TestRepository
    let daemon: TestDaemon

    beforeAll(async () => {
      home = stack.use(await testHome())
      person = stack.use(await temporaryDirectory('muster-person')).path
      await writePerson(person)
      repository = stack.use(await testRepository(projectFiles('allow')))
      closed = stack.use(await testRepository(projectFiles('deny')))
      daemon = await home.start({
        MUSTER_SANDBOX: 'auto',
        HOME: person,
        PATH: `${join(person, 'tools/bin')}:${process.env['PATH']}`,
        ANTHROPIC_API_KEY: 'for-claude',
        OPENAI_API_KEY: 'for-codex',
        MY_OWN_SECRET: 'for-nobody',
      })
    })
    afterAll(() => stack.disposeAsync())

    function projectFiles(network: 'allow' | 'deny'): Readonly<Record<string, string>> {
      const configuration = {
        version: 1,
        checks: ['true'],
        sandbox: { network },
        agents: {
          probe: { provider: 'command', command: ['sh', './probe.sh'], env: { PLACE: home.home } },
          waiter: { provider: 'command', command: ['sleep', '600'] },
          claude: { provider: 'claude-code' },
          codex: { provider: 'codex' },
        },
      }
      return {
        'README.md': 'A project.\n',
        'probe.sh': `REPOSITORY=$(cat where.txt 2> /dev/null || echo /nowhere)\n${PROBE}\n`,
        'muster.yaml': JSON.stringify(configuration),
      }
    }

    async function open(
      agent: string,
      options: { readonly on?: TestRepository; readonly mode?: 'interactive' } = {},
    ): Promise<WireSession> {
      const { on = repository, mode = 'headless' } = options
      const prompt = mode === 'headless' ? 'Look around.' : ''
      return take(await daemon.client.openSession({ repositoryPath: on.path, agent, mode, prompt }))
    }

    const seen = async (id: string) => take(await daemon.client.getSession(id))

    /** What a session left, when it is over: its files by their names. */
    async function leftBy(
      id: string,
      on = repository,
    ): Promise<(file: string) => Promise<readonly string[]>> {
      await until(async () => (await seen(id)).status === 'terminated')
      await until(() =>
        on.git('rev-parse', '--verify', '-q', `muster/${id}`).then(
          () => true,
          () => false,
        ),
      )
      return async (file) => (await on.git('show', `muster/${id}:${file}`)).split('\n')
    }

    it('works in its tree, reads nothing of the home or of Muster, and writes nowhere else', async () => {
      await repository.write({ 'where.txt': `${repository.path}\n` })
      await repository.commit('say where')
      const other = await open('waiter')
      await until(async () => (await seen(other.id)).status === 'running')
      const { id } = await open('probe')
      const left = await leftBy(id)
      expect(await left('report.txt')).toEqual([
        ...REFUSED,
        ...WRITES_REFUSED,
        'read-prompt yes',
        'write-tree yes',
        'write-temporary yes',
        'reach-daemon yes',
      ])
      expect(await repository.git('log', '-1', '--format=%s', `muster/${id}`)).toBe('What I could do')
      expect(await readFile(join(person, 'notes.txt'), 'utf8')).toBe('mine\n')
      expect(await readFile(join(person, '.ssh/id'), 'utf8')).toBe('secret\n')
      expect(await readdir(home.home)).not.toContain('lost')
      expect(await left('hosts.txt')).toEqual([id])
      expect((await left('trees.txt')).filter((name) => name.includes(other.id))).toEqual([])
      const mail = take(await daemon.client.listMessages({ session: id })).items
      expect(mail.map(({ body }) => body).toSorted()).toEqual(['left inside', 'said from inside'])
      take(await daemon.client.stopSession(other.id))
      await until(async () => (await seen(other.id)).status === 'terminated')
    })

    it("has its own provider's credentials and no others", async () => {
      const ids = await Promise.all(['probe', 'claude', 'codex'].map(async (agent) => (await open(agent)).id))
      const [probe, claude, codex] = await Promise.all(ids.map((id) => leftBy(id)))
      const keys = ['ANTHROPIC_API_KEY', 'MY_OWN_SECRET', 'OPENAI_API_KEY']
      const known = async (left: typeof probe) =>
        ((await left?.('names.txt')) ?? []).filter((name) => keys.includes(name))
      expect(await known(probe)).toEqual([])
      expect(await known(claude)).toEqual(['ANTHROPIC_API_KEY'])
      expect(await known(codex)).toEqual(['OPENAI_API_KEY'])
      const homes = await Promise.all([claude, codex].map((left) => left?.('home.txt')))
      expect(homes.map((names) => names?.filter((name) => name === '.claude' || name === '.codex'))).toEqual([
        ['.claude'],
        ['.codex'],
      ])
      for (const names of homes) expect(names).not.toContain('.ssh')
    })

    it('that is denied the network reaches not even the daemon, yet its outbox does', async () => {
      const { id } = await open('probe', { on: closed })
      const left = await leftBy(id, closed)
      expect((await left('report.txt')).at(-1)).toBe('reach-daemon no')
      const mail = take(await daemon.client.listMessages({ session: id })).items
      expect(mail.map(({ body }) => body)).toEqual(['left inside'])
    })

    it('is what every program of a job runs in, checks included', async () => {
      const task = { description: 'write the file', script: commitFile('a.txt', 'from inside') }
      await using worked = await testRepository(
        shellProject([task], { checks: ['test ! -e "$HOME/notes.txt"'] }),
      )
      const goal = { repositoryPath: worked.path, requestDocument: 'Write the file.' }
      const { id } = take(await daemon.client.startJob(goal))
      const job = await waitForJob(daemon.client, id)
      expect(job.status).toBe('completed')
      const sessions = take(await daemon.client.listSessions({ job: id })).items
      expect(new Set(sessions.map(({ purpose }) => purpose.type))).toEqual(new Set(['attempt', 'check']))
      expect(sessions.map(({ sandbox }) => sandbox)).toEqual(sessions.map(() => 'bubblewrap'))
      expect(await worked.git('show', `${job.workingBranch}:a.txt`)).toBe('from inside')
    })

    it('says how it is held: on itself, in its events and in the audit', async () => {
      const { id } = await open('waiter')
      const { id: shown } = await open('waiter', { mode: 'interactive' })
      for (const one of [id, shown]) {
        await until(async () => (await seen(one)).status === 'running')
        expect(await seen(one)).toMatchObject({ sandbox: 'bubblewrap' })
        const events = take(await daemon.client.listSessionEvents(one, {})).items
        expect(events.find(({ type }) => type === 'session_started')).toMatchObject({
          data: { containment: 'bubblewrap' },
        })
        take(await daemon.client.stopSession(one))
        await until(async () => (await seen(one)).status === 'terminated')
      }
      expect(await daemon.stop()).toBe(0)
      const opened = await openEmbeddedPostgres({ log: silentLog }, { home: home.home })
      if (!opened.ok) throw new Error(JSON.stringify(opened.failure))
      await using server = opened.value
      const database = new pg.Client({ ...server.connection })
      await database.connect()
      const rows = await database.query(
        `select subject, detail from audit where action = 'session-start' and subject = any($1)`,
        [[id, shown]],
      )
      await database.end()
      const details = rows.rows.map(({ detail }) =>
        typeof detail === 'string' ? JSON.parse(detail) : detail,
      )
      expect(details).toMatchObject([{ containment: 'bubblewrap' }, { containment: 'bubblewrap' }])
    })

    it('does not stand in the way of the demo', async () => {
      await using unused = await temporaryDirectory()
      const environment = { MUSTER_SANDBOX: 'auto', HOME: person }
      const demo = await runCommandLine(['demo', '--json'], { home: unused.path, environment })
      expect(demo.code).toBe(0)
      expect(demo.stdout).toContain('"reason":"goal-reached"')
    }, 120_000)
  },
)

async function writePerson(person: string): Promise<void> {
  const tools = join(person, 'tools/bin')
  for (const name of ['.ssh', '.claude', '.codex', 'tools/bin'])
    await mkdir(join(person, name), { recursive: true })
  await writeFile(join(person, '.ssh/id'), 'secret\n')
  await writeFile(join(person, 'notes.txt'), 'mine\n')
  await writeFile(join(person, '.claude/login'), 'secret\n')
  for (const name of ['claude', 'codex']) {
    await writeFile(join(tools, name), STAND_IN)
    await chmod(join(tools, name), 0o755)
  }
}
