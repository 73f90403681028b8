import type { PlaybookFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

export const playbookFailures: FailureTable<PlaybookFailure> = {
  'playbook-not-found': refusal(404, ({ name, meant }) => ({
    message: `There is no playbook "${name}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
    next: meant === undefined ? 'muster playbooks list' : `muster playbooks show ${meant}`,
  })),
}
