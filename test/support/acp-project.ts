import { resolve } from 'node:path'
import type { Deed } from './acp-agent/deed.ts'
import { deeds } from './acp-agent/deed.ts'

const AGENT = resolve(import.meta.dirname, 'acp-agent/acp-agent.ts')

/** The files of a project whose planner lists these tasks once, and whose worker is the scripted ACP agent. */
export function acpProject(
  tasks: readonly (readonly Deed[])[],
  options: {
    readonly memory: string
    readonly permissions?: 'ask' | 'bypass'
    readonly limits?: object
    /** More agents, by name. */
    readonly agents?: Readonly<Record<string, object>>
    readonly files?: Readonly<Record<string, string>>
  },
): Readonly<Record<string, string>> {
  const found = tasks.map((list, index) => ({
    description: `Task ${index + 1}. ${deeds(...list)}`,
    files: [],
    parallel: true,
    priority: 'P1',
  }))
  const plan = { type: 'result', tasks: found, reasoning: 'they are needed', blockers: [], done: false }
  const done = { type: 'result', tasks: [], done: true, evidence: ['it is there'] }
  const planner = [
    '#!/bin/sh',
    `if [ "$MUSTER_CYCLE" = 1 ]; then cat <<'END'`,
    JSON.stringify(plan),
    `END\nelse cat <<'END'`,
    JSON.stringify(done),
    'END\nfi',
  ].join('\n')
  const configuration = {
    version: 1,
    checks: ['test -f README.md'],
    agents: {
      acp: {
        provider: 'acp',
        command: [process.execPath, AGENT],
        permissions: options.permissions ?? 'ask',
        env: { ACP_MEMORY: options.memory },
        roles: ['worker'],
      },
      planner: { provider: 'command', command: ['sh', './planner.sh'], roles: ['planner'] },
      ...options.agents,
    },
    planner: { agent: 'planner' },
    limits: options.limits ?? {},
  }
  return {
    'README.md': 'A project.\n',
    ...options.files,
    'planner.sh': `${planner}\n`,
    'muster.yaml': JSON.stringify(configuration),
  }
}

/** A deed that commits a file. */
export function commit(name: string): Deed {
  return { shell: `echo ${name} > ${name} && git add ${name} && git commit -qm 'Add ${name}'` }
}
