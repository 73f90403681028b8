import { describeCastFailure } from '../../domain/run/describe-cast-failure.ts'
import { shellWord } from '../../domain/shell-word.ts'
import type { PlaybookFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'
import { sentence } from './sentence.ts'

export const playbookFailures: FailureTable<PlaybookFailure> = {
  'playbook-not-found': refusal(404, ({ name, meant }) => ({
    message: `There is no playbook "${name}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
    next: meant === undefined ? 'muster playbooks list' : `muster playbooks show ${meant}`,
  })),
  'playbook-invalid': refusal(422, ({ name, directory, faults: [first] }) => ({
    message: `The playbook ${directory === undefined ? 'in the request' : `"${name}"`} has faults, so nothing was started${first === undefined ? '' : `: ${placeOf(first)}: ${first.problem}`}.`,
    next:
      directory === undefined
        ? 'Correct the playbook in the request.'
        : `muster playbooks validate ${shellWord(directory)}`,
  })),
  'playbook-unreviewed': refusal(422, ({ name }) => ({
    message: `The playbook "${name}" can land work that no reviewer approved, but this job reviews everything. Use --mode auto, or a playbook in which every path to landing ends with a review.`,
    next: 'muster playbooks list',
  })),
  'playbook-input-invalid': refusal(422, ({ name, problem }) => ({
    message: sentence(`The playbook "${name}" can't start: ${problem}`),
    next: `muster playbooks show ${name}`,
  })),
  'review-by-playbook': refusal(422, () => ({
    message: "A playbook defines its own reviews, so it can't be combined with --mode review.",
    next: 'muster start reviewed GOAL',
  })),
  uncastable: refusal(422, ({ name, ...cast }) => {
    const [first = '', ...others] = describeCastFailure(cast)
    return {
      message: [`The playbook "${name}" can't start. ${first}`, ...others.slice(0, -1)].join(' '),
      next: others.at(-1) ?? '',
    }
  }),
}

function placeOf({ file, line }: { readonly file: string; readonly line?: number }): string {
  return line === undefined ? file : `${file}:${line}`
}
