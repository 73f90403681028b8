import type { ApiFailure } from './api-failure.ts'
import { approvalWords } from './approval-words.ts'
import { controlWords } from './control-words.ts'
import { edgeWords } from './edge-words.ts'
import { evidenceWords } from './evidence-words.ts'
import type { FailureWords, WordTable } from './failure-words.ts'
import { repositoryWords } from './repository-words.ts'
import { sessionWords } from './session-words.ts'
import { startWords } from './start-words.ts'

const words: WordTable<ApiFailure> = {
  ...edgeWords,
  ...startWords,
  ...controlWords,
  ...sessionWords,
  ...approvalWords,
  ...evidenceWords,
  ...repositoryWords,
}

/** A failure in words for a person: what happened, why, and what to try next. */
export function describeFailure(failure: ApiFailure): FailureWords {
  // The table maps each type to a function of that very member, which the compiler cannot follow by index.
  const describe = words[failure.type] as (failed: ApiFailure) => FailureWords
  return describe(failure)
}
