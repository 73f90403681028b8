import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { requirePlan } from '../../../../test/conformance/provider-fixtures.ts'
import { type PlanRun, runPlan } from '../../../../test/conformance/run-plan.ts'
import type { LaunchedAgent, LaunchRequest } from '../../../ports/agent-provider.ts'
import { createScriptedProvider } from './scripted-provider.ts'
import { waitForFile } from './wait-for-file.ts'

const run = promisify(execFile)
const { PATH: searchPath = '' } = process.env

function agent(fields: Partial<LaunchedAgent>): LaunchedAgent {
  return { name: 'actor', provider: 'scripted', roles: ['worker'], env: {}, ...fields }
}

/** Creates a tree, with a script and a prompt outside of it. */
async function launch(directory: string, script: unknown, prompt = 'do it'): Promise<LaunchRequest> {
  const treeDirectory = path.join(directory, 'tree')
  const files = { script: path.join(directory, 'script.json'), prompt: path.join(directory, 'prompt.md') }
  await mkdir(treeDirectory, { recursive: true })
  await writeFile(files.script, JSON.stringify(script))
  await writeFile(files.prompt, prompt)
  return {
    agent: agent({ script: files.script }),
    role: 'worker',
    mode: 'headless',
    permissions: 'bypass',
    sessionDirectory: directory,
    promptFile: files.prompt,
    treeDirectory,
    environment: {
      PATH: searchPath,
      MUSTER_ROLE: 'worker',
      MUSTER_CYCLE: '1',
      MUSTER_ATTEMPT: '1',
      MUSTER_PROMPT_FILE: files.prompt,
    },
  }
}

async function playRequest(request: LaunchRequest): Promise<PlanRun> {
  return runPlan(await requirePlan(createScriptedProvider(), request), request.treeDirectory)
}

describeAgentProvider('scripted', createScriptedProvider, {
  answering: async (directory) => ({
    request: await launch(directory, [{ steps: [{ say: 'at work' }, { result: { done: true } }] }]),
    answer: { done: true },
  }),
  misconfigured: [
    { agent: agent({}), field: 'script' },
    { agent: agent({ script: 'relative.yaml' }), field: 'script' },
    { agent: agent({ script: '/no/such/script.yaml' }), field: 'script' },
    { agent: agent({ script: os.tmpdir() }), field: 'script' },
    { agent: agent({ script: '/a\0b' }), field: 'script' },
  ],
})

describe('a scripted agent', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-scripted-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  const play = async (steps: readonly unknown[]): Promise<PlanRun> =>
    playRequest(await launch(directory, [{ steps }]))
  const inTree = (file: string): string => path.join(directory, 'tree', file)

  it('plays the scene that fits its role, cycle, attempt and task, from YAML too', async () => {
    const request = await launch(directory, [], 'Write the parser')
    const script = path.join(directory, 'script.yaml')
    await writeFile(
      script,
      [
        '- when: { role: planner }',
        '  steps: [{ say: plan }]',
        '- when: { attempt: 2 }',
        '  steps: [{ say: again }]',
        '- when: { cycle: 1, task: parser }',
        '  steps: [{ say: parse }]',
      ].join('\n'),
    )
    const played = await playRequest({ ...request, agent: agent({ script }) })
    expect(played).toMatchObject({ code: 0, output: 'parse\n', errorOutput: '' })
  })

  it('fails with a reason if no scene fits', async () => {
    const request = await launch(directory, [{ when: { role: 'planner' }, steps: [] }])
    const played = await playRequest(request)
    expect(played.code).toBe(65)
    expect(played.errorOutput).toContain('no scene')
  })

  it('writes, appends, removes and commits in its tree', async () => {
    await mkdir(inTree('.'), { recursive: true })
    await run('git', ['init', '-q'], { cwd: inTree('.') })
    const played = await play([
      { write: { path: 'src/a.txt', text: 'one\n' } },
      { append: { path: 'src/a.txt', text: 'two\n' } },
      { write: { path: 'b.txt', text: '' } },
      { remove: 'b.txt' },
      { commit: 'Add a' },
    ])
    expect(played).toMatchObject({ code: 0, errorOutput: '' })
    expect(await readFile(inTree('src/a.txt'), 'utf8')).toBe('one\ntwo\n')
    const log = await run('git', ['log', '--format=%s', '--name-only'], { cwd: inTree('.') })
    expect(log.stdout).toBe('Add a\n\nsrc/a.txt\n')
  })

  it('prints text, events, answers and errors', async () => {
    const played = await play([
      { say: 'hello' },
      { emit: { type: 'usage', inputTokens: 1, outputTokens: 2 } },
      { 'error-line': 'careful' },
      { result: { n: 1 } },
    ])
    expect(played.output).toBe(
      'hello\n{"type":"usage","inputTokens":1,"outputTokens":2}\n{"type":"result","n":1}\n',
    )
    expect(played.errorOutput).toBe('careful\n')
  })

  it('prints every line of a spam step', async () => {
    const played = await play([{ spam: { lines: 25_500, text: 'noise' } }])
    const lines = played.output.trimEnd().split('\n')
    expect(lines).toHaveLength(25_500)
    expect(lines.at(-1)).toBe('noise 25500')
  })

  it('exits at once with the code of an exit step', async () => {
    expect(await play([{ exit: 7 }, { say: 'never' }])).toMatchObject({ code: 7, output: '' })
  })

  it('exits with the code of a failed program', async () => {
    expect(
      await play([{ run: [process.execPath, '-e', 'process.exit(9)'] }, { say: 'never' }]),
    ).toMatchObject({
      code: 9,
      output: '',
    })
    expect(await play([{ run: ['./no-such-program'] }])).toMatchObject({ code: 70 })
  })

  it('crashes with the signal of a crash step', async () => {
    expect(await play([{ crash: 'SIGKILL' }])).toMatchObject({ code: null, signal: 'SIGKILL' })
    expect(await play([{ say: 'last words' }, { crash: 'SIGTERM' }])).toMatchObject({
      signal: 'SIGTERM',
      output: 'last words\n',
    })
  })

  it('signals others with a file and waits for theirs', async () => {
    const ready = path.join(directory, 'signals', 'ready')
    const go = path.join(directory, 'late', 'deep', 'go')
    const playing = play([{ touch: ready }, { 'wait-for': { file: go } }, { say: 'resumed' }])
    expect(await waitForFile(ready, 30)).toBe(true)
    await mkdir(path.dirname(go), { recursive: true })
    await writeFile(go, '')
    expect(await playing).toMatchObject({ code: 0, output: 'resumed\n' })
  })

  it('stops waiting after the time limit', async () => {
    const played = await play([{ 'wait-for': { file: 'never', seconds: 0.05 } }])
    expect(played.code).toBe(70)
    expect(played.errorOutput).toContain('did not appear in time')
  })

  it('does not leave its tree through a link', async () => {
    await mkdir(inTree('.'), { recursive: true })
    await mkdir(path.join(directory, 'outside'))
    await symlink(path.join(directory, 'outside'), inTree('folder'))
    await symlink(path.join(directory, 'outside', 'new'), inTree('dangling'))
    for (const file of ['folder/x', 'folder/deep/x', 'dangling']) {
      const played = await play([{ write: { path: file, text: 'x' } }])
      expect(played).toMatchObject({ code: 70 })
      expect(played.errorOutput).toContain('leaves the working tree')
    }
  })

  it('has no screen of its own', async () => {
    const request = await launch(directory, [{ steps: [] }])
    expect(await createScriptedProvider().plan({ ...request, mode: 'interactive' })).toEqual({
      ok: false,
      failure: { type: 'mode-unsupported', mode: 'interactive', provider: 'scripted' },
    })
  })

  it('is refused if its script is too large', async () => {
    const request = await launch(directory, [])
    const script = path.join(directory, 'large.yaml')
    await writeFile(script, `# ${'x'.repeat(1024 * 1024)}\n`)
    const planned = await createScriptedProvider().plan({ ...request, agent: agent({ script }) })
    expect(planned).toMatchObject({ ok: false, failure: { type: 'agent-misconfigured', field: 'script' } })
  })
})
