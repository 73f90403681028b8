import type { JobPlan } from '../../domain/job/job.ts'
import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import { type Result, success } from '../../domain/result.ts'
import { bindFamily, castFamily, type FamilyCast } from '../../domain/run/cast-family.ts'
import { castNotes } from '../../domain/run/cast-notes.ts'
import { type Company, chooseCast } from '../../domain/run/choose-cast.ts'
import type { ChosenPlaybook } from './read-playbook.ts'

/** The plan of a job that follows a playbook: its roles are cast, and there is no planner. */
export function withPlaybook(
  plan: JobPlan,
  chosen: ChosenPlaybook,
  company: Company,
): Result<JobPlan, StartJobFailure> {
  const { folder, children, from, inputs } = chosen
  const cast = castFamily({ ...folder, children }, (playbook) => chooseCast(playbook, company))
  if (!cast.ok) return cast
  const { reviewer: _, ...others } = plan
  const notes = notesOn(chosen, cast.value, company)
  const hasChildren = children.length > 0
  return success({
    ...others,
    approach: {
      type: 'run',
      playbook: { name: folder.playbook.name, hash: folder.hash },
      ...(from === undefined ? {} : { from }),
      inputs,
      cast: cast.value.cast,
      ...(notes.length === 0 ? {} : { notes }),
      ...(hasChildren ? { children: cast.value.children } : {}),
    },
    roles: bindFamily(plan, cast.value),
  })
}

function notesOn(
  { folder, children }: ChosenPlaybook,
  { cast, children: casts }: FamilyCast,
  company: Company,
): readonly string[] {
  const own = castNotes(folder.playbook, cast, company)
  const inner = children.flatMap(({ playbook }) =>
    castNotes(playbook, casts[playbook.name]?.cast ?? {}, company),
  )
  return [...new Set([...own, ...inner])]
}
