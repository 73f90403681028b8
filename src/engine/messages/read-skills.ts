import type { ProjectId, SessionId } from '../../domain/id.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import type { History } from '../../ports/history.ts'
import type { Store } from '../../ports/store/store.ts'

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

/** The skills committed where the session's work started; its own tree is not asked, it may have been changed. */
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

type Base = { readonly projectId: ProjectId; readonly commit: string }

async function findBase(needs: Needs, sessionId: SessionId): Promise<Base | undefined> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined || session.state.type === 'terminated') return undefined
  const { purpose } = session
  if (purpose.type === 'standing') return { projectId: purpose.projectId, commit: purpose.baseCommit }
  return await baseInJob(needs, session)
}

async function baseInJob(needs: Needs, session: Session): Promise<Base | undefined> {
  const { jobs, attempts } = needs.store.read
  const job = session.jobId === undefined ? undefined : await jobs.find(session.jobId)
  if (job === undefined) return undefined
  const attempt =
    session.purpose.type === 'attempt' ? await attempts.find(session.purpose.attemptId) : undefined
  return { projectId: job.projectId, commit: attempt?.baseCommit ?? job.baseCommit }
}

async function namesAt(needs: Needs, base: Base): Promise<readonly string[]> {
  const paths = await needs.history.listFiles(base.projectId, base.commit, DIRECTORY)
  const names = paths.map((path) => SKILL_PATH.exec(path)?.[1]).filter((name) => name !== undefined)
  return names.slice(0, MOST_SKILLS)
}

async function readAt(needs: Needs, base: Base, name: string): Promise<Skill | undefined> {
  const text = await needs.history.readFile(base.projectId, base.commit, `${DIRECTORY}/${name}/SKILL.md`)
  if (text === undefined || text.length > MOST_CHARACTERS) return undefined
  return { name, description: descriptionIn(text), text }
}

/** The `description` of the front matter, or the first line that says anything. */
function descriptionIn(text: string): string {
  const [, head] = /^---\r?\n([\s\S]{0,4000}?)\r?\n---/.exec(text) ?? []
  const [, described] = /^description:\s*(.+)$/m.exec(head ?? '') ?? []
  const line = described ?? text.split('\n').find((candidate) => /^[^-#\s]/.test(candidate)) ?? ''
  return line.replaceAll(/^["']|["']$/g, '').slice(0, 300)
}
