import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quickHome } from '../support/quick-home.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import type { TestDaemon, TestHome } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** A Claude Code that is logged in if it has a key. */
const CLAUDE = `case "$1" in --version) echo "2.1.325 (Claude Code)";;
  *) test -n "$ANTHROPIC_API_KEY" && echo '{"loggedIn":true}' || echo '{"loggedIn":false}';; esac`
const KEYED_CODEX = resolve(import.meta.dirname, '../support/keyed-codex.ts')
const CODEX = `test "$1" = --version && echo "codex 0.166.0" || exec "${process.execPath}" "${KEYED_CODEX}" "$@"`
const SYSTEM = '/usr/local/bin:/usr/bin:/bin'
const KEY = 'sk-secret-value'

const parts = new AsyncDisposableStack()
let home: TestHome
let repository: TestRepository
let places: string

beforeAll(async () => {
  home = parts.use(await quickHome())
  repository = parts.use(await testRepository())
  places = parts.use(await temporaryDirectory('muster-environment')).path
  await install('claude', CLAUDE)
  await install('codex', CODEX)
  // Its log-in is unknown, so it may be used.
  await install('codex', 'exit 1', 'quiet-codex')
})
afterAll(() => parts.disposeAsync())

async function install(name: string, script: string, place = name): Promise<void> {
  const file = join(places, place, name)
  await mkdir(join(places, place))
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}

/** An environment with these programs and nothing of the machine's owner. */
function withPrograms(...programs: readonly string[]) {
  const own = programs.map((name) => join(places, name))
  return { PATH: [...own, SYSTEM].join(':'), HOME: places, XDG_CONFIG_HOME: join(places, 'config') }
}

/** Runs a command against a daemon with another environment than the command's. */
async function against(
  environment: Readonly<Record<string, string>>,
  work: (
    run: (words: readonly string[], own: Readonly<Record<string, string>>) => Promise<Printed>,
    daemon: TestDaemon,
  ) => Promise<void>,
): Promise<void> {
  await using daemon = await home.start(environment)
  await work(async (words, own) => {
    const ran = await runCommandLine(words, { home: home.home, cwd: repository.path, environment: own })
    return { code: ran.code, text: `${ran.stdout}${ran.stderr}`.replaceAll(/\s+/g, ' ') }
  }, daemon)
}

type Printed = { readonly code: number; readonly text: string }

const ELSEWHERE = 'the daemon was started with a different environment'
const REMEDY =
  'a new daemon will have the environment of this shell; running agents keep working try: muster shutdown, then'

describe('a program that was installed in a directory that the daemon does not search', () => {
  it('is named by doctor and by what is refused, with the remedy', async () => {
    await against(withPrograms(), async (run) => {
      const reason = `claude is in ${join(places, 'claude')}, which is not in its PATH ${REMEDY}`
      const doctor = await run(['doctor'], withPrograms('claude'))
      expect(doctor.text).toContain(`${ELSEWHERE}: ${reason}`)
      expect(doctor.text).toContain("agent claude installed, but not in the daemon's PATH")
      for (const words of [
        ['run', 'goal'],
        ['run', 'goal', '--agent', 'claude'],
        ['session', 'start', 'hi'],
      ]) {
        const refused = await run(words, withPrograms('claude'))
        expect(refused.text).toContain(`${ELSEWHERE}: ${reason}`)
      }
    })
  })

  it('is not replaced by another program, unless the person names that one', async () => {
    await against(withPrograms('quiet-codex'), async (run, { client }) => {
      const shell = withPrograms('claude', 'quiet-codex')
      const reason = `claude is in ${join(places, 'claude')}, which is not in its PATH ${REMEDY}`
      for (const words of [
        ['run', 'goal', '--detach'],
        ['session', 'start', 'hi', '--detach'],
      ]) {
        expect((await run(words, shell)).text).toContain(`${ELSEWHERE}: ${reason}`)
        expect(await run([...words, '--agent', 'codex'], shell)).toMatchObject({ code: 0 })
      }
      expect(take(await client.listJobs()).items).toMatchObject([{ title: 'goal' }])
    })
  })

  it('does not explain why another program is missing', async () => {
    await against(withPrograms(), async (run) => {
      const refused = await run(['run', 'goal', '--agent', 'codex'], withPrograms('claude'))
      expect(refused.text).toContain('which is not installed. Nothing was started.')
      expect(refused.text).toContain('try: npm install -g @openai/codex')
      expect(refused.text).not.toContain(ELSEWHERE)
    })
  })
})

describe('a key that was set after the daemon was started', () => {
  it('is named by doctor and by what is refused, but its value is not sent', async () => {
    await against(withPrograms('claude'), async (run, { client }) => {
      const withKey = { ...withPrograms('claude'), ANTHROPIC_API_KEY: KEY }
      const reason = `${ELSEWHERE}: it does not have ANTHROPIC_API_KEY ${REMEDY}`
      expect((await run(['doctor'], withKey)).text).toContain(reason)
      expect(await run(['run', 'goal'], withKey)).toMatchObject({
        code: 1,
        text: expect.stringContaining(reason),
      })
      const { variables } = take(await client.environment())
      const named = variables.find(({ name }) => name === 'ANTHROPIC_API_KEY')
      expect(named).toMatchObject({
        name: 'ANTHROPIC_API_KEY',
        providers: expect.arrayContaining(['claude-code']),
      })
    })
    await against({ ...withPrograms('claude'), ANTHROPIC_API_KEY: KEY }, async (run, { client }) => {
      const other = { ...withPrograms('claude'), ANTHROPIC_API_KEY: 'another' }
      expect((await run(['doctor'], other)).text).toContain('it has a different value for ANTHROPIC_API_KEY')
      expect(JSON.stringify(take(await client.environment()))).not.toContain(KEY)
    })
  })

  it('is not mentioned if both have the same environment', async () => {
    await against(withPrograms('claude'), async (run) => {
      const refused = await run(['run', 'goal'], withPrograms('claude'))
      expect(refused.text).toContain('try: Run `claude` and log in, then try again')
      expect(refused.text).not.toContain(ELSEWHERE)
      expect((await run(['doctor'], withPrograms('claude'))).text).not.toMatch(/environment/)
    })
  })
})

describe('muster doctor', () => {
  const NONE = 'no agent can work yet, so no job can start'

  it('ends with the fact that no job can start, and exit code 1, if no agent could work', async () => {
    await against(withPrograms('claude'), async (run) => {
      const without = await run(['doctor'], withPrograms('claude'))
      expect(without.code).toBe(1)
      expect(without.text).toMatch(new RegExp(`fail agents ${NONE} try: [^:]*; then: muster doctor $`))
      const own = { agents: { mine: { provider: 'command', command: ['sh'] } } }
      await repository.write({ 'muster.yaml': JSON.stringify(own) })
      const withOwn = await run(['doctor'], withPrograms('claude'))
      expect(withOwn).toMatchObject({ code: 0, text: expect.not.stringContaining(NONE) })
    })
  })

  it("knows the variables that the person's own file gives to an agent", async () => {
    await against(withPrograms('codex'), async (run) => {
      const doctor = async () => (await run(['doctor'], withPrograms('codex'))).text
      expect(await doctor()).toMatch(/agent codex 0\.166\.0: Codex has no key: .* try: Set CRITIC_KEY under/)
      const codex = { provider: 'codex', env: { CRITIC_KEY: 'key' } }
      await mkdir(join(places, 'config', 'muster'), { recursive: true })
      await writeFile(join(places, 'config', 'muster', 'config.yaml'), JSON.stringify({ agents: { codex } }))
      expect(await doctor()).toContain('agent codex 0.166.0, ready')
    })
  })

  it("fails with the file, line and field that a job would be refused for, if the person's own file is invalid", async () => {
    await against(withPrograms('codex'), async (run) => {
      const file = join(places, 'config', 'muster', 'config.yaml')
      await mkdir(join(places, 'config', 'muster'), { recursive: true })
      await writeFile(file, 'version: 1\nmode: odd\n')
      const problem = `${file}:2: mode: must be one of`
      const doctor = await run(['doctor'], withPrograms('codex'))
      expect(doctor).toMatchObject({
        code: 1,
        text: expect.stringContaining(`fail configuration ${problem}`),
      })
      expect((await run(['run', 'goal'], withPrograms('codex'))).text).toContain(problem)
      await rm(file)
    })
  })

  it("reports the sandbox that the person's own file sets, not the one that this machine could have", async () => {
    await against({ ...withPrograms('codex'), MUSTER_SANDBOX: '' }, async (run) => {
      await mkdir(join(places, 'config', 'muster'), { recursive: true })
      const own = { sandbox: { level: 'process-group' } }
      await writeFile(join(places, 'config', 'muster', 'config.yaml'), JSON.stringify(own))
      const { text } = await run(['doctor'], withPrograms('codex'))
      expect(text).toContain('warn sandbox your configuration sets process-group')
    })
  })
})
