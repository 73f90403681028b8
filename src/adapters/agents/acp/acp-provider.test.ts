import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { installReplayAgent } from '../../../../test/support/install-replay-agent.ts'
import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import { createAcpProvider } from './acp-provider.ts'

const HELLO = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/acp/hello.jsonl')

function agent(fields: Partial<AgentSpec>): AgentSpec {
  return {
    name: 'mine',
    provider: 'acp',
    roles: ['worker'],
    env: {},
    command: ['my-agent', '--acp'],
    ...fields,
  }
}

describeAgentProvider('acp', createAcpProvider, {
  answering: async (directory) => {
    const treeDirectory = path.join(directory, 'tree')
    await mkdir(treeDirectory, { recursive: true })
    const tools = await installReplayAgent(directory, 'my-agent', HELLO)
    return {
      request: {
        agent: agent({}),
        role: 'worker',
        mode: 'headless',
        permissions: 'bypass',
        sessionDirectory: directory,
        promptFile: path.join(directory, 'prompt.md'),
        treeDirectory,
        environment: { PATH: tools, MUSTER_ROLE: 'worker' },
      },
      answer: { done: true },
    }
  },
  misconfigured: [
    { agent: { name: 'mine', provider: 'acp', roles: ['worker'], env: {} }, field: 'command' },
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ command: ['my-agent', 'a\0b'] }), field: 'command' },
    { agent: agent({ env: { 'A=B': 'c' } }), field: 'env' },
  ],
})
