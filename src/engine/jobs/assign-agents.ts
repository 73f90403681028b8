import { editPlaybook } from '../../domain/playbook/edit-playbook.ts'
import { type Result, success } from '../../domain/result.ts'
import type { PlaybookFolder } from '../../ports/playbook-source.ts'
import { canonicalDigest } from '../canonical-digest.ts'
import type { PlaybookRequest } from './job-commands.ts'

type Asked = Pick<PlaybookRequest, 'agent' | 'agents'>
type Folder = Pick<PlaybookFolder, 'playbook' | 'files' | 'hash'>
type Folders = {
  readonly folder: Folder
  readonly children: readonly Folder[]
  readonly named?: readonly string[]
}

/** Gives roles to the agents that a request names: one for every role, also of the playbooks within it, or one for each. */
export function assignAgents<Chosen extends Folders>(
  chosen: Chosen,
  { agent, agents = {} }: Asked,
): Result<Chosen, string> {
  const named = [...(agent === undefined ? [] : [agent]), ...Object.values(agents)]
  if (named.length === 0) return success(chosen)
  const folder = withAgents(chosen.folder, { ...everyRole(chosen.folder, agent), ...agents })
  if (!folder.ok) return folder
  const children: Folder[] = []
  for (const child of chosen.children) {
    const edited = withAgents(child, everyRole(child, agent))
    if (!edited.ok) return edited
    children.push(edited.value)
  }
  return success({ ...chosen, folder: folder.value, children, named })
}

type Agents = Readonly<Record<string, string>>

function everyRole({ playbook }: Folder, agent: string | undefined): Agents {
  if (agent === undefined) return {}
  return Object.fromEntries(Object.keys(playbook.roles).map((role) => [role, agent]))
}

function withAgents(folder: Folder, agents: Agents): Result<Folder, string> {
  if (Object.keys(agents).length === 0) return success(folder)
  const edited = editPlaybook(folder, { prompts: {}, agents, skip: [] })
  return edited.ok
    ? success({ ...edited.value, hash: canonicalDigest({ from: folder.hash, agents }) })
    : edited
}
