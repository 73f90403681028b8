/** The playbook `reviewed` as it was when migration 0028 was written. */
export const REVIEWED = {
  hash: '81aee9f8b851b6e71f249d78c9815d342d651772ac8c68224e79ce9f54255e3d',
  playbook: {
    name: 'reviewed',
    description: "One developer, the project's checks, and a reviewer of another model family.",
    inputs: {
      goal: {
        type: 'text',
        isRequired: true,
      },
    },
    roles: {
      developer: {
        mode: 'write',
        prompt: 'builtin/developer',
        agents: ['developer', 'worker'],
        keepsSession: true,
        isSpread: false,
      },
      reviewer: {
        mode: 'read',
        prompt: 'builtin/reviewer',
        agents: ['reviewer'],
        unlike: 'developer',
        keepsSession: false,
        isSpread: false,
      },
    },
    limits: {
      minutes: 120,
      parallel: 1,
    },
    hasNotebook: false,
    start: 'implement',
    stages: {
      implement: {
        type: 'role',
        role: 'developer',
        from: {
          type: 'head',
        },
        sees: [
          {
            of: 'goal',
            isOptional: false,
          },
        ],
        output: {
          type: 'shipped',
          format: 'change',
        },
        minutes: 60,
        on: {
          done: {
            type: 'always',
            to: {
              type: 'stage',
              stage: 'check',
            },
          },
          failed: {
            type: 'always',
            to: {
              type: 'end',
              end: 'failed',
            },
          },
        },
      },
      check: {
        type: 'checks',
        on: {
          pass: {
            type: 'always',
            to: {
              type: 'stage',
              stage: 'review',
            },
          },
          fail: {
            type: 'limited',
            to: {
              type: 'stage',
              stage: 'revise',
            },
            max: 2,
            beyond: {
              type: 'end',
              end: 'partial',
            },
          },
        },
      },
      review: {
        type: 'role',
        role: 'reviewer',
        from: {
          type: 'work',
        },
        sees: [
          {
            of: 'goal',
            isOptional: false,
          },
          {
            of: 'diff',
            isOptional: false,
          },
          {
            of: 'check',
            field: 'output',
            isOptional: false,
          },
          {
            of: 'revise',
            field: 'issuesDisputed',
            isOptional: true,
          },
        ],
        output: {
          type: 'shipped',
          format: 'review',
        },
        minutes: 20,
        on: {
          APPROVED: {
            type: 'always',
            to: {
              type: 'end',
              end: 'land',
            },
          },
          NEEDS_REVISION: {
            type: 'limited',
            to: {
              type: 'stage',
              stage: 'revise',
            },
            max: 3,
            beyond: {
              type: 'end',
              end: 'partial',
            },
          },
          REJECTED: {
            type: 'always',
            to: {
              type: 'end',
              end: 'partial',
            },
          },
          failed: {
            type: 'always',
            to: {
              type: 'end',
              end: 'unverified',
            },
          },
        },
      },
      revise: {
        type: 'role',
        role: 'developer',
        asks: 'Change what the reviewer or the failing checks ask for, and nothing else.',
        from: {
          type: 'work',
        },
        sees: [
          {
            of: 'goal',
            isOptional: false,
          },
          {
            of: 'review',
            field: 'issues',
            isOptional: true,
          },
          {
            of: 'check',
            field: 'output',
            isOptional: false,
          },
        ],
        output: {
          type: 'shipped',
          format: 'change',
        },
        scope: {
          of: 'review',
          field: 'issues',
          isOptional: true,
        },
        minutes: 30,
        on: {
          done: {
            type: 'always',
            to: {
              type: 'stage',
              stage: 'check',
            },
          },
          failed: {
            type: 'always',
            to: {
              type: 'end',
              end: 'partial',
            },
          },
        },
      },
    },
    result: {
      documents: [
        {
          of: 'review',
          isOptional: true,
        },
      ],
      partial: 'ask',
    },
    recover: {
      perVisit: 3,
      perRun: 10,
      actions: {},
    },
  },
  files: {
    'builtin/developer.md': `You are the developer. You change the repository in your working directory so that the goal is met, and you leave it in
a state that you would be willing to maintain.

**Before you write.** Read the code around what you will change, its tests, and any instructions the repository has for
contributors. Find out how the project does what you are about to do, and do it the same way. If the goal can be
understood in two ways, take the one that the existing code suggests and say so in your summary.

**While you write.**
- Make the smallest change that fully meets the goal. Leave unrelated code alone, even if you would have written it
  differently.
- Add or change tests so that they would fail without your change.
- Handle the cases that go wrong: bad input, missing files, failures of what you call.
- Add a dependency only if the goal needs it, and name it in your answer.
- Never weaken, skip or delete a test, or switch off a check, to make something pass.

**Before you finish.** Run the project's tests and checks, and read your own diff once as a stranger would.

**When your work is sent back.** Settle every issue: fix it, or dispute it and explain why the work is right as it is.
Don't use the occasion to change anything else.

**How you are judged.** The project's checks run on exactly what you commit. Whoever judges your work reads the diff
against the goal, and of your answer sees at most the issues that you dispute. Claims don't count; what can be seen in
the repository does. It is better to say plainly what is missing than to call unfinished work done.
`,
    'builtin/reviewer.md': `You are the reviewer. Another agent made the change that is in your working directory. You decide whether it may land.
If your stage is about a design, nothing is built yet: then you decide whether it should be built as it is written, and
check what it says about the repository.

**Form your own opinion first.** Read the goal, then the diff and the code around it, and work out what the change
really does before you read what anybody says about it. Run the code and its tests where that settles a question.

**What to look for**, the most important first:
1. Does it do what the goal asks, all of it, and nothing that the goal doesn't ask for?
2. Is it correct: edge cases, failures, concurrency, data that is lost or leaked?
3. Would its tests fail without it? Were existing tests or checks weakened?
4. Can the next engineer understand it? Does it follow the project's own ways?

**What counts as an issue.** Something that you could show to be wrong or missing, with a place in the code and what to
do instead. Taste is not an issue. Neither is a problem that was there before the change, unless the change makes it
worse.

**Your verdict.** APPROVED means that you would land it under your own name. NEEDS_REVISION means that the same developer
can fix the issues you list; list all of them now, because the rounds are limited. REJECTED means that the approach is
wrong and more rounds would not help. If you can't tell, find out; don't approve what you have not understood.

**In a later round**, check first whether each earlier issue is settled, or rightly disputed. Raise something new only
if the change may not land with it.

**How you are judged.** By what breaks after your approval, and by issues you raised that turn out not to be there.
`,
    'playbook.yaml': `version: 1
name: reviewed
description: One developer, the project's checks, and a reviewer of another model family.
roles:
  developer: { mode: write, prompt: builtin/developer, agents: [developer, worker], session: keep }
  reviewer: { mode: read, prompt: builtin/reviewer, agents: [reviewer], unlike: developer }
limits: { minutes: 120, parallel: 1 }
start: implement
stages:
  implement:
    role: developer
    from: head
    sees: [goal]
    output: change
    minutes: 60
    on: { done: check, failed: end.failed }
  check:
    checks: project
    on:
      pass: review
      fail: { next: revise, max: 2, then: end.partial }
  review:
    role: reviewer
    sees: [goal, diff, check.output, revise.issuesDisputed?]
    output: review
    minutes: 20
    on:
      APPROVED: end.land
      NEEDS_REVISION: { next: revise, max: 3, then: end.partial }
      REJECTED: end.partial
      failed: end.unverified
  revise:
    role: developer
    asks: Change what the reviewer or the failing checks ask for, and nothing else.
    sees: [goal, review.issues?, check.output]
    output: change
    scope: review.issues?
    minutes: 30
    on: { done: check, failed: end.partial }
result: { documents: [review?], partial: ask }
`,
  },
}
