import type { WirePlaybookView } from '../../contract/playbook.ts'
import type { PlaybookView } from '../../engine/queries/playbooks.ts'

export function playbookToWire(view: PlaybookView): WirePlaybookView {
  if (view.type === 'invalid') return { ...view, faults: [...view.faults] }
  const warnings = view.warnings.map(({ path, problem }) => ({ field: path.join('.'), problem }))
  return { ...view, warnings }
}
