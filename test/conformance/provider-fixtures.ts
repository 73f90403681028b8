import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type {
  AgentProvider,
  LaunchedAgent,
  LaunchPlan,
  LaunchRequest,
} from '../../src/ports/agent-provider.ts'
import type { Dialogue } from '../../src/ports/dialogue.ts'
import { installReplayAgent } from '../support/install-replay-agent.ts'

type Replayed = {
  /** The name under which the provider looks for its program. */
  readonly program: string
  /** The recording that a stand-in for the program replays. */
  readonly transcript: string
  readonly agent?: Partial<LaunchedAgent>
}

/** Fixtures for a provider of a program that holds a conversation. */
export function providerFixtures(create: () => AgentProvider, replayed: Replayed) {
  const agent = (fields: Partial<LaunchedAgent> = {}): LaunchedAgent => ({
    name: 'mine',
    provider: create().providerId,
    roles: ['worker'],
    env: {},
    ...replayed.agent,
    ...fields,
  })

  const launch = async (directory: string, fields: Partial<LaunchRequest> = {}): Promise<LaunchRequest> => {
    const treeDirectory = path.join(directory, 'tree')
    await mkdir(treeDirectory, { recursive: true })
    const tools = await installReplayAgent(directory, replayed.program, replayed.transcript)
    return {
      agent: agent(),
      role: 'worker',
      mode: 'headless',
      permissions: 'bypass',
      sessionDirectory: directory,
      promptFile: path.join(directory, 'prompt.md'),
      treeDirectory,
      environment: { PATH: tools, MUSTER_ROLE: 'worker' },
      ...fields,
    }
  }

  const plan = async (directory: string, fields: Partial<LaunchRequest> = {}): Promise<LaunchPlan> =>
    requirePlan(create(), await launch(directory, fields))

  return { agent, launch, plan }
}

export async function requirePlan(provider: AgentProvider, request: LaunchRequest): Promise<LaunchPlan> {
  const planned = await provider.plan(request)
  if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
  return planned.value
}

export function requireDialogue({ providerId, dialogue }: AgentProvider): Dialogue {
  if (dialogue === undefined) throw new Error(`the provider ${providerId} has no dialogue`)
  return dialogue
}
