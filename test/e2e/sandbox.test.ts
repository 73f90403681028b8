import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireSession } from '../../src/client/index.ts'
import type { PostgresConnection } from '../../src/daemon/postgres/postgres-server.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runJob } from '../support/run-job.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestDaemon, type TestHome, testHome, until } from '../support/test-daemon.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** Why nothing can be tested on this machine; undefined if something can. */
function findObstacle(): string | undefined {
  try {
    execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' })
    return undefined
  } catch (error) {
    return `bubblewrap does not work here: ${error instanceof Error ? error.message : error}`
  }
}

/** Tries what it must not be able to do and what it must, and commits the results. */
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
  'try reach-daemon sh -c "$REACH"',
  '} > report.txt',
  'echo lost > "$HOME/notes.txt"; echo lost > "$PLACE/lost"; mkdir -p "$HOME/.ssh" && echo lost > "$HOME/.ssh/id"',
  'ls "$PLACE/hosts" > hosts.txt; ls "$PLACE/trees" > trees.txt; env | cut -d= -f1 | sort > names.txt',
  `printf '{"type":"send","to":"person","body":"left inside"}' > "$MUSTER_OUTBOX/.new"`,
  'mv "$MUSTER_OUTBOX/.new" "$MUSTER_OUTBOX/message.json"',
  'git add -A && git commit -qm "What I could do"',
].join('\n')

/** Stands in for the programs of Claude Code and Codex, and lists what it is given. */
const STAND_IN = '#!/bin/sh\nenv | cut -d= -f1 | sort > names.txt; ls -A "$HOME" > home.txt\n'

/** How a program tries to reach the daemon. Without a network, the command line would try for a long time. */
const REACH = {
  allow: 'muster agent progress "said from inside"',
  deny: `"${process.execPath}" -e "fetch(process.env.MUSTER_URL).catch(() => process.exit(1))"`,
}

const REFUSED = ['key', 'notes', 'login', 'token', 'database', 'log', 'repository'].map(
  (what) => `read-${what} no`,
)
const WRITES_REFUSED = ['system', 'muster', 'prompt'].map((what) => `write-${what} no`)

const obstacle = findObstacle()

describe.skipIf(obstacle !== undefined)(
  `a sandboxed session${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`,
  () => {
    const stack = new AsyncDisposableStack()
    let database: PostgresConnection
    let home: TestHome
    let person: string
    let repository: TestRepository
    let closed: TestRepository
    let daemon: TestDaemon

    beforeAll(async () => {
      database = await createTestDatabase()
      home = stack.use(await testHome({ MUSTER_DATABASE_URL: urlOf(database) }))
      // Where the embedded database would be.
      await mkdir(join(home.home, 'postgres'))
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
          probe: {
            provider: 'command',
            command: ['sh', './probe.sh'],
            env: { PLACE: home.home, REACH: REACH[network] },
          },
          plain: { provider: 'command', command: ['sh', './list.sh'] },
          waiter: { provider: 'command', command: ['sleep', '600'] },
          claude: { provider: 'claude-code' },
          codex: { provider: 'codex' },
        },
      }
      return {
        'README.md': 'A project.\n',
        'list.sh': STAND_IN,
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

    /** Waits for the end of a session. Returns a function that reads the lines of a file on its branch. */
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

    it("works in its tree, and reads nothing in the person's home or in Muster's", async () => {
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
      const messages = take(await daemon.client.listMessages({ session: id })).items
      expect(messages.map(({ body }) => body).toSorted()).toEqual(['left inside', 'said from inside'])
      take(await daemon.client.stopSession(other.id))
      await until(async () => (await seen(other.id)).status === 'terminated')
    })

    it("has its own provider's credentials and no others", async () => {
      const ids = await Promise.all(['plain', 'claude', 'codex'].map(async (agent) => (await open(agent)).id))
      const [plain, claude, codex] = await Promise.all(ids.map((id) => leftBy(id)))
      const keys = ['ANTHROPIC_API_KEY', 'MY_OWN_SECRET', 'OPENAI_API_KEY']
      const known = async (left: typeof plain) =>
        ((await left?.('names.txt')) ?? []).filter((name) => keys.includes(name))
      expect(await known(plain)).toEqual([])
      expect(await known(claude)).toEqual(['ANTHROPIC_API_KEY'])
      expect(await known(codex)).toEqual(['OPENAI_API_KEY'])
      const homes = await Promise.all([claude, codex].map((left) => left?.('home.txt')))
      expect(homes.map((names) => names?.filter((name) => name === '.claude' || name === '.codex'))).toEqual([
        ['.claude'],
        ['.codex'],
      ])
      for (const names of homes) expect(names).not.toContain('.ssh')
    })

    it('reaches the daemon only through its outbox if it is denied the network', async () => {
      const { id } = await open('probe', { on: closed })
      const left = await leftBy(id, closed)
      expect((await left('report.txt')).at(-1)).toBe('reach-daemon no')
      const messages = take(await daemon.client.listMessages({ session: id })).items
      expect(messages.map(({ body }) => body)).toEqual(['left inside'])
    })

    it('is started for every program of a job, also for checks', async () => {
      const task = { description: 'write the file', script: commitFile('a.txt', 'from inside') }
      await using worked = await testRepository(
        shellProject([task], { checks: ['test ! -e "$HOME/notes.txt"'] }),
      )
      const job = await runJob(daemon.client, worked)
      expect(job.status).toBe('completed')
      const sessions = take(await daemon.client.listSessions({ job: job.id })).items
      expect(new Set(sessions.map(({ purpose }) => purpose.type))).toEqual(new Set(['attempt', 'check']))
      expect(sessions.map(({ sandbox }) => sandbox)).toEqual(sessions.map(() => 'bubblewrap'))
      expect(await worked.git('show', `${job.workingBranch}:a.txt`)).toBe('from inside')
    })

    it('reports its containment in its record, its events and the audit', async () => {
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
      const client = new pg.Client({ ...database })
      await client.connect()
      const rows = await client.query(
        `select subject, detail from muster.audit where action = 'session-start' and subject = any($1)`,
        [[id, shown]],
      )
      await client.end()
      const details = rows.rows.map(({ detail }) =>
        typeof detail === 'string' ? JSON.parse(detail) : detail,
      )
      expect(details).toMatchObject([{ containment: 'bubblewrap' }, { containment: 'bubblewrap' }])
    })
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
