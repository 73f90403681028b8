/** The files that `muster playbooks new` writes, by their names. Together they are a valid playbook. */
export function newPlaybookFiles(name: string): Readonly<Record<string, string>> {
  return { 'playbook.yaml': playbookText(name), 'developer.md': PROMPT }
}

function playbookText(name: string): string {
  return `# For completion and checks in your editor, write the schema of this file next to it:
#   muster playbooks schema > .muster/playbooks/playbook.schema.json
# and start this file with the line
#   "# yaml-language-server: $schema=../playbook.schema.json"
#
# After a change:  muster playbooks validate ${name}
# To see it drawn: muster playbooks show ${name}
version: 1
name: ${name}                    # must be the name of this folder
description: One developer, the project's checks, and a reviewer.

# What a run is given besides its goal:
# inputs:
#   gate: { type: choice, of: ["no", "yes"], default: "no", description: Whether a person decides. }

# Who takes part. mode: read (a tree that is thrown away), write (changes are the work) or model (no tree).
# prompt: a file in this folder, or one of Muster's own such as builtin/reviewer.
# agents: agents or roles of muster.yaml; the first that is free is taken.
roles:
  developer: { mode: write, prompt: ./developer.md, agents: [developer, worker], session: keep }
  reviewer: { mode: read, prompt: builtin/reviewer, agents: [reviewer], unlike: developer }

limits: { minutes: 120, parallel: 1 }    # usd: 10 would also limit the cost

# A stage has exactly one of: role, checks, gate, choose, playbook. Under \`on\`, each of its outcomes leads to a stage
# or an end: end.land, end.done, end.unverified, end.partial or end.failed. Only a route with a limit may lead back.
start: implement
stages:
  implement:
    role: developer
    from: head                           # the tip of the branch; later stages continue from the work so far
    sees: [goal]
    output: change
    minutes: 60
    on: { done: check, failed: end.failed }
  check:
    checks: project                      # those of muster.yaml
    on:
      pass: review
      fail: { next: revise, max: 2, then: end.partial }
  review:
    role: reviewer
    sees: [goal, diff, check.output]
    output: review
    minutes: 20
    on:
      APPROVED: end.land
      NEEDS_REVISION: { next: revise, max: 2, then: end.partial }
      REJECTED: end.partial
      failed: end.unverified             # nobody judged the work
  revise:
    role: developer
    asks: Change what the reviewer or the failing checks ask for, and nothing else.
    sees: [goal, review.issues?, check.output]    # "?": only if that stage has run
    output: change
    minutes: 30
    on: { done: check, failed: end.partial }

result: { documents: [review?], partial: ask }    # ask a person what becomes of partial work
`
}

const PROMPT = `# Developer

You are the developer of this change. Do what the goal asks for, completely, and nothing besides.

- Read the code around your change first, and follow its conventions.
- Add or change the tests that show that your change works.
- Run the project's checks before you answer.

Your answer names the files that you changed, what you assumed, and what you left open.
`
