import path from 'node:path'
import { describeAgentProvider } from '../../../../test/conformance/agent-provider-suite.ts'
import { providerFixtures } from '../../../../test/conformance/provider-fixtures.ts'
import { createAcpProvider } from './acp-provider.ts'

const { agent, launch } = providerFixtures(createAcpProvider, {
  program: 'my-agent',
  transcript: path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/acp/hello.jsonl'),
  agent: { command: ['my-agent', '--acp'] },
})

describeAgentProvider('acp', createAcpProvider, {
  answering: async (directory) => ({ request: await launch(directory), answer: { done: true } }),
  misconfigured: [
    { agent: { name: 'mine', provider: 'acp', roles: ['worker'], env: {} }, field: 'command' },
    { agent: agent({ command: [''] }), field: 'command' },
    { agent: agent({ command: ['my-agent', 'a\0b'] }), field: 'command' },
    { agent: agent({ env: { 'A=B': 'c' } }), field: 'env' },
  ],
})
