import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { EXAMPLES } from '../command-help.ts'
import { createCommandTree } from '../command-tree.ts'
import { runCli } from '../run-cli.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import {
  SAMPLE_APPROVAL_ID,
  SAMPLE_JOB_ID,
  SAMPLE_SESSION_ID,
  SAMPLE_TASK_ID,
  sampleApproval,
  sampleNames,
} from '../testing/sample-wire.ts'
import { openStandInApi } from '../testing/stand-in-api.ts'
import { ARGUMENT_KINDS, FILE_COMMANDS } from './argument-kinds.ts'
import { completeWords } from './complete-words.ts'
import { SHELL_SCRIPTS } from './shell-scripts.ts'

const run = promisify(execFile)
const trial = createCommandTrial(temporaryDirectory)

const NAMES = sampleNames(
  { title: 'Parse week numbers', repositoryPath: '/srv/project' },
  { id: 'job_0mwzzzzzz5555000000a', title: 'An older job' },
  { kind: 'task', id: SAMPLE_TASK_ID, name: 't1-1', jobId: SAMPLE_JOB_ID, title: 'Fix it\u001b[2J' },
  { kind: 'task', id: 'tsk_0mwzzzzzz6666000000a', name: 't1-1', jobId: 'job_0mwzzzzzz5555000000a' },
  { kind: 'session', id: SAMPLE_SESSION_ID, title: 'ada (worker)' },
  { kind: 'approval', id: SAMPLE_APPROVAL_ID, title: '' },
  { kind: 'approval', id: 'apr_0mwzzzzzz7777000000a', title: '' },
)
const answers = (_method: string, path: string) =>
  path === '/api/names' ? NAMES : { items: [sampleApproval()] }

/** What a shell gets for these words. */
async function completed(...words: readonly string[]) {
  await using api = await openStandInApi({ answers })
  const surroundings = trial.surroundings()
  const place = ['--server', api.url, '--home', trial.path()]
  expect(await runCli(surroundings, ['__complete', ...place, ...words])).toBe(0)
  expect(surroundings.stderrText()).toBe('')
  return surroundings.stdoutText()
}

const valuesOf = (text: string) => text.split('\n').flatMap((line) => line.split('\t')[0] || [])

describe('completion', () => {
  it('offers every command with its description', async () => {
    const offered = await completed('')
    expect(new Set(valuesOf(offered))).toEqual(new Set(Object.keys(EXAMPLES)))
    expect(offered).toContain('watch\tfollow a job or a run until it ends\n')
    expect(valuesOf(await completed('help', 'app'))).toEqual(['approvals', 'approve'])
    expect(valuesOf(await completed('audit', ''))).toEqual(['tail', 'verify', 'accept'])
  })

  it('offers flags, and the values of a flag or an argument', async () => {
    expect(valuesOf(await completed('run', 'x', '--max'))).toEqual(['--max-cycles'])
    expect(valuesOf(await completed('run', '--no'))).toEqual([
      '--notify',
      '--no-notify',
      '--no-color',
      '--no-pager',
    ])
    expect(valuesOf(await completed('run', '--mode', ''))).toEqual(['auto', 'review', 'approve'])
    expect(valuesOf(await completed('list', 's'))).toEqual(['sessions'])
    expect(valuesOf(await completed('base', 'job_9abc', 'f'))).toEqual(['fix'])
    expect(await completed('backup', '')).toBe(':files\n')
  })

  it('offers agents, also after the role that they are to take', () => {
    const tree = createCommandTree(trial.surroundings(), async () => {})
    const agentOf = (...words: readonly string[]) => completeWords(tree, words)
    expect(agentOf('run', '--agent', 'developer=co')).toEqual({ type: 'agents' })
    for (const words of [
      ['start', 'reviewed', 'x'],
      ['fork', 'run_1'],
    ]) {
      expect(agentOf(...words, '--agent', 'co')).toEqual({ type: 'agents' })
      expect(agentOf(...words, '--agent', 'developer=co')).toEqual({ type: 'agents', role: 'developer=' })
    }
  })

  it('offers records by names that work, with what they are about', async () => {
    expect(await completed('watch', '')).toBe('job_9abc\tParse week numbers\njob_5555\tAn older job\n')
    expect(await completed('list', 'tasks', '--job', 'job_9')).toBe('job_9abc\tParse week numbers\n')
    expect(valuesOf(await completed('logs', 't'))).toEqual(['t1-1', 'tsk_6666'])
    expect(await completed('logs', 't1')).toBe('t1-1\tFix it\n')
    expect(valuesOf(await completed('send', ''))).toEqual(['ses_9abc', 't1-1', 'tsk_6666'])
    expect(await completed('send', 'ses_9abc', '')).toBe('')
  })

  it('offers only requests that are still pending', async () => {
    expect(await completed('approve', 'apr')).toBe('apr_9abc\tt1-1 wants to run: rm -rf build\n')
  })

  it('prints nothing and starts nothing without a daemon', async () => {
    const surroundings = trial.surroundings()
    expect(await runCli(surroundings, ['__complete', '--home', trial.path(), 'show', ''])).toBe(0)
    expect([surroundings.stdoutText(), surroundings.stderrText()]).toEqual(['', ''])
    expect(await readdir(trial.path())).toEqual(['token'])
    const broken = trial.surroundings()
    const words = ['__complete', '--server', 'http://127.0.0.1:9', '--home', trial.path(), 'show', '']
    expect(await runCli(broken, words)).toBe(0)
    expect([broken.stdoutText(), broken.stderrText()]).toEqual(['', ''])
  })

  it('knows what every command names', () => {
    const tree = createCommandTree(trial.surroundings(), async () => {})
    const unknown = tree.commands.filter((command) => {
      const [argument] = command.registeredArguments
      const isKnown = Object.hasOwn(ARGUMENT_KINDS, command.name()) || FILE_COMMANDS.has(command.name())
      return argument !== undefined && argument.argChoices === undefined && !isKnown
    })
    // Their first argument is text that only the person knows, or a playbook.
    expect(new Set(unknown.map((command) => command.name()))).toEqual(new Set(['run', 'start']))
  })
})

/** A program `muster` on the PATH that runs the sources. */
async function installMuster(): Promise<string> {
  const file = join(trial.path(), 'muster')
  const bin = new URL('../../bin.ts', import.meta.url).pathname
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`)
  await chmod(file, 0o755)
  return [trial.path(), process.env['PATH']].join(delimiter)
}

const hasProgram = (name: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

describe('the scripts', () => {
  it('complete in bash', async () => {
    await using api = await openStandInApi({ answers })
    const PATH = await installMuster()
    const words = ['muster', '--server', api.url, '--home', trial.path(), 'logs', 't1']
    const script = [
      'eval "$(muster completion bash)"',
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
      `COMP_CWORD=${words.length - 1}`,
      '_muster',
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
      'complete -p muster',
    ]
    const { stdout } = await run('bash', ['--norc', '-c', script.join('\n')], {
      env: { ...process.env, PATH },
    })
    expect(stdout).toBe('t1-1\ncomplete -F _muster muster\n')
  })

  it.skipIf(!hasProgram('zsh'))('is valid zsh (skipped without zsh)', async () => {
    await writeFile(join(trial.path(), '_muster'), SHELL_SCRIPTS.zsh)
    await run('zsh', ['-n', join(trial.path(), '_muster')])
  })

  it.skipIf(!hasProgram('fish'))('completes in fish (skipped without fish)', async () => {
    const PATH = await installMuster()
    const script = 'muster completion fish | source; complete -C "muster watc"'
    const { stdout } = await run('fish', ['--no-config', '-c', script], { env: { ...process.env, PATH } })
    expect(stdout).toContain('watch')
  })
})
