import { hasFormat } from './has-format.ts'
import type { Playbook } from './playbook.ts'
import type { RoleStage, Stage } from './stage.ts'

/**
 * Whether a stage is a review of the run's work. A reviewer whose tree is another commit, or who has no tree and isn't
 * shown the changes, reviews something else. Several reviewers at once give no verdict of the stage.
 */
export function judgesWork({ roles }: Pick<Playbook, 'roles'>, stage: Stage): stage is RoleStage {
  if (stage.type !== 'role' || !hasFormat(stage.output, 'review') || stage.fanOut !== undefined) return false
  if (roles[stage.role]?.mode === 'model') return stage.sees.some(({ of }) => of === 'diff')
  return stage.from.type === 'work'
}
