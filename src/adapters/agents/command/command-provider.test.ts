import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { requirePlan } from '../../../../test/conformance/provider-fixtures.ts'
import { runPlan } from '../../../../test/conformance/run-plan.ts'
import type { LaunchedAgent, LaunchRequest } from '../../../ports/agent-provider.ts'
import { createCommandProvider } from './command-provider.ts'

const ANSWERING_PROGRAM = `
process.stdout.write('reading ' + process.env.MUSTER_PROMPT_FILE + '\\n')
process.stdout.write(JSON.stringify({ type: 'result', role: process.env.MUSTER_ROLE }) + '\\n')
`

function agent(fields: Partial<LaunchedAgent>): LaunchedAgent {
  return { name: 'mine', provider: 'command', roles: ['worker'], env: {}, ...fields }
}

function launch(directory: string, fields: Partial<LaunchedAgent>): LaunchRequest {
  return {
    agent: agent(fields),
    role: 'worker',
    mode: 'headless',
    permissions: 'bypass',
    sessionDirectory: directory,
    promptFile: path.join(directory, 'prompt.md'),
    treeDirectory: directory,
    environment: {
      PATH: path.dirname(process.execPath),
      MUSTER_ROLE: 'worker',
      MUSTER_PROMPT_FILE: path.join(directory, 'prompt.md'),
    },
  }
}

describeAgentProvider('command', createCommandProvider, {
  answering: async (directory) => ({
    request: launch(directory, { command: ['node', '-e', ANSWERING_PROGRAM] }),
    answer: { role: 'worker' },
  }),
  misconfigured: [
    { agent: agent({}), field: 'command' },
    { agent: agent({ command: [] }), field: 'command' },
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ command: ['node', 'a\0b'] }), field: 'command' },
    { agent: agent({ command: ['node'], env: { 'A=B': 'c' } }), field: 'env' },
    { agent: agent({ command: ['node'], env: { A: 'b\0' } }), field: 'env' },
  ],
})

describe('the program of a command agent', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-command-'))
    await mkdir(path.join(directory, 'tools'))
    await writeFile(path.join(directory, 'tools', 'agent'), '#!/bin/sh\necho from the tree\n')
    await chmod(path.join(directory, 'tools', 'agent'), 0o755)
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('is found by a path relative to the working tree', async () => {
    const request = launch(directory, { command: ['./tools/agent'] })
    const plan = await requirePlan(createCommandProvider(), request)
    expect((await runPlan(plan, directory)).output).toBe('from the tree\n')
  })

  it('starts in the same way with a terminal', async () => {
    const request = launch(directory, { command: ['./tools/agent'] })
    const provider = createCommandProvider()
    expect(await provider.plan({ ...request, mode: 'interactive' })).toEqual(await provider.plan(request))
  })

  it("is found in the agent's own PATH if it sets one", async () => {
    const request = launch(directory, { command: ['agent'], env: { PATH: path.join(directory, 'tools') } })
    expect(await createCommandProvider().plan(request)).toMatchObject({
      ok: true,
      value: { command: [path.join(directory, 'tools', 'agent')] },
    })
  })

  it('is never found in a relative folder of PATH, which could be in the tree', async () => {
    const request = launch(directory, { command: ['agent'], env: { PATH: 'tools:./tools:' } })
    expect(await createCommandProvider().plan(request)).toMatchObject({
      ok: false,
      failure: { type: 'program-missing', program: 'agent' },
    })
  })

  it('counts as missing if it is absent, a folder, not executable or a circular link', async () => {
    await writeFile(path.join(directory, 'plain'), 'text')
    await symlink('circle', path.join(directory, 'circle'))
    for (const program of ['./absent', './tools', './plain', './circle', 'no-such-program']) {
      const planned = await createCommandProvider().plan(launch(directory, { command: [program] }))
      expect(planned).toMatchObject({ ok: false, failure: { type: 'program-missing', program } })
    }
  })
})
