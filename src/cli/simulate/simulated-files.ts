import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import type { WireValidPlaybook } from '../../client/index.ts'
import type { PinnedFiles } from '../../domain/run/output-schema.ts'
import type { FileTree } from '../demo/demo-files.ts'
import type { OutcomePlan } from './read-outcomes.ts'
import { type SimulationPlan, simulatedCheck, simulatedScript } from './simulated-script.ts'

const AGENT = 'simulated'
/** A gate that is to expire waits this long. The others are answered at once. */
const EXPIRY_HOURS = 2 / 3600

/** The texts of a playbook's own files, by the names that it uses for them. The daemon has found it valid. */
export async function readPlaybookFiles({
  directory,
  playbook,
}: WireValidPlaybook): Promise<Readonly<Record<string, string>>> {
  const prompts = Object.values(playbook.roles).map(({ prompt }) => prompt)
  const schemas = Object.values(playbook.stages).flatMap((stage) =>
    stage.type === 'role' && stage.output.type === 'schema' ? [stage.output.file] : [],
  )
  const own = [...prompts.filter((name) => !name.startsWith('builtin/')), ...schemas]
  const names = [...new Set(['playbook.yaml', ...own])]
  const texts = names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const)
  return Object.fromEntries(await Promise.all(texts))
}

/**
 * The same playbook, with what would only take time changed: nothing in trouble is tried again, a gate that is to expire
 * does so soon, and partial work asks nobody. Its stages, routes and limits on routes stay as they are.
 */
export function hastened(files: PinnedFiles, outcomes: OutcomePlan): PinnedFiles {
  const { 'playbook.yaml': text = '' } = files
  const document = parseDocument(text)
  document.setIn(['recover'], document.createNode({ perVisit: 0, perRun: 0 }))
  document.setIn(['result', 'partial'], 'keep')
  for (const [stage, planned] of Object.entries(outcomes)) {
    if (planned.includes('expired')) document.setIn(['stages', stage, 'gate', 'hours'], EXPIRY_HOURS)
  }
  return { ...files, 'playbook.yaml': document.toString() }
}

/** The repository that a simulation works on: one agent plays every role. */
export function simulatedRepository(plan: SimulationPlan, directory: string): FileTree {
  const words = Object.values(plan.playbook.roles).flatMap(({ agents }) => agents)
  const bound = [...new Set([...words, 'worker', 'planner', 'reviewer'])]
  const configuration = {
    version: 1,
    checks: [`/bin/sh '${join(directory, 'check.sh')}'`],
    sandbox: { level: 'none' },
    taskList: 'none',
    agents: { [AGENT]: { provider: 'scripted', script: join(directory, 'script.json') } },
    roles: Object.fromEntries(bound.map((role) => [role, { agents: [AGENT] }])),
  }
  return { 'README.md': '# Simulated\n', 'muster.yaml': JSON.stringify(configuration), ...children(plan) }
}

/** What lies beside the repository, because no commit may change it. */
export function simulatedTools(plan: SimulationPlan): FileTree {
  return { 'script.json': JSON.stringify(simulatedScript(plan)), 'check.sh': simulatedCheck(plan) }
}

const CHILD_ENDS: Readonly<Record<string, string>> = {
  complete: 'done',
  partial: 'partial',
  failed: 'failed',
}

/** Other playbooks aren't played: each is replaced by one that ends at once, as planned. */
function children({ playbook, outcomes }: SimulationPlan): FileTree {
  const stubs = Object.entries(playbook.stages).flatMap(([name, stage]) => {
    if (stage.type !== 'playbook') return []
    const end = CHILD_ENDS[outcomes[name]?.[0] ?? ''] ?? 'done'
    const inputs = Object.keys(stage.inputs).filter((input) => input !== 'goal')
    const stub = {
      version: 1,
      name: stage.playbook,
      description: 'Ends at once.',
      inputs: Object.fromEntries(inputs.map((input) => [input, { type: 'text' }])),
      start: 'decide',
      stages: { decide: { choose: [{ if: { goal: '' }, next: 'end.failed' }], else: `end.${end}` } },
      result: { partial: 'keep' },
    }
    return [[`.muster/playbooks/${stage.playbook}/playbook.yaml`, JSON.stringify(stub)] as const]
  })
  return Object.fromEntries(stubs)
}
