import type { SessionId } from '../../domain/id.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { History } from '../../ports/history.ts'
import type { Store } from '../../ports/store/store.ts'
import { planOf } from '../sessions/purposes/plan-of.ts'
import type { WorkBase } from '../sessions/purposes/session-plan.ts'

export type SkillSummary = { readonly name: string; readonly description: string }
export type Skill = SkillSummary & { readonly text: string }

type Needs = {
  readonly store: Pick<Store, 'read'>
  readonly history: Pick<History, 'readFile' | 'listFiles'>
}

const DIRECTORY = '.muster/skills'
const SKILL_PATH = /^\.muster\/skills\/([A-Za-z0-9][\w.-]{0,63})\/SKILL\.md$/
const MOST_SKILLS = 100
const MOST_CHARACTERS = 256 * 1024

/** The skills in the commit that the session's work started from. The session may have changed those in its tree. */
export async function listSkills(
  needs: Needs,
  sessionId: SessionId,
): Promise<Result<readonly SkillSummary[], MessageFailure>> {
  const base = await findBase(needs, sessionId)
  if (base === undefined) return failure({ type: 'session-over' })
  const names = await namesAt(needs, base)
  const skills = await Promise.all(names.map((name) => readAt(needs, base, name)))
  const found = skills.filter((skill) => skill !== undefined)
  return success(found.map(({ name, description }) => ({ name, description })))
}

export async function readSkill(
  needs: Needs,
  sessionId: SessionId,
  name: string,
): Promise<Result<Skill, MessageFailure>> {
  const base = await findBase(needs, sessionId)
  if (base === undefined) return failure({ type: 'session-over' })
  const known = await namesAt(needs, base)
  const skill = known.includes(name) ? await readAt(needs, base, name) : undefined
  if (skill !== undefined) return success(skill)
  return failure({ type: 'skill-not-found', name: name.slice(0, 100), known })
}

async function findBase(needs: Needs, sessionId: SessionId): Promise<WorkBase | undefined> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined || session.state.type === 'terminated') return undefined
  return await planOf(session).findBase(needs)
}

async function namesAt(needs: Needs, base: WorkBase): Promise<readonly string[]> {
  const paths = await needs.history.listFiles(base.projectId, base.commit, DIRECTORY)
  const names = paths.map((path) => SKILL_PATH.exec(path)?.[1]).filter((name) => name !== undefined)
  return names.slice(0, MOST_SKILLS)
}

async function readAt(needs: Needs, base: WorkBase, name: string): Promise<Skill | undefined> {
  const text = await needs.history.readFile(base.projectId, base.commit, `${DIRECTORY}/${name}/SKILL.md`)
  if (text === undefined || text.length > MOST_CHARACTERS) return undefined
  return { name, description: descriptionIn(text), text }
}

/** The `description` of the front matter, or the first line of text. */
function descriptionIn(text: string): string {
  const [, head] = /^---\r?\n([\s\S]{0,4000}?)\r?\n---/.exec(text) ?? []
  const [, described] = /^description:\s*(.+)$/m.exec(head ?? '') ?? []
  const line = described ?? text.split('\n').find((candidate) => /^[^-#\s]/.test(candidate)) ?? ''
  return line.replaceAll(/^["']|["']$/g, '').slice(0, 300)
}
