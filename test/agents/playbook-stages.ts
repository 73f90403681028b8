import type { ModelServer } from '../support/model-server/model-server.ts'
import type { Step } from '../support/model-server/step.ts'
import { commit } from './commit.ts'

type Stages = Readonly<Record<string, readonly Step[]>>

const ISSUE = { severity: 'major', location: 'greeting.txt:1', issue: 'no full stop', suggestion: 'add one' }
const FINDING = {
  claim: 'The project is an example.',
  confidence: 'high',
  sources: ['README.md:1'],
}
const READ: Step = { text: 'I read first.', shell: 'git log --oneline && cat README.md' }

const APPROVED = { verdict: 'APPROVED', summary: 'It is as it should be.', issues: [] }
const CRITERIA = { criteria: ['greeting.txt greets the reader'], risks: [], needsDesign: true }
const DESIGN = { approach: 'Write the greeting into a file of its own.' }
const FINDINGS = { summary: 'It is an example.', findings: [FINDING], confidence: 'high' }
const MET = [{ criterion: 1, met: true, evidence: 'greeting.txt:1' }]

/** What the model does in each stage of the playbooks: it calls tools of the program, then answers. */
const PLAYBOOKS: Readonly<Record<string, Stages>> = {
  development: {
    criteria: [READ, answer(CRITERIA)],
    architecture: [answer(DESIGN)],
    design_review: [answer({ ...APPROVED, criteria: MET })],
    implementation: [commit('greeting.txt'), answer({ summary: 'It greets.', files: ['greeting.txt'] })],
    code_review: [
      { shell: 'cat greeting.txt' },
      answer({
        verdict: 'NEEDS_REVISION',
        summary: 'Almost.',
        issues: [ISSUE],
        criteria: [{ criterion: 1, met: false }],
      }),
    ],
    'code_review 2': [{ shell: 'cat greeting.txt' }, answer({ ...APPROVED, criteria: MET })],
    code_revision: [
      { shell: 'echo greeting. > greeting.txt && git commit -qam "End the sentence"' },
      answer({ summary: 'It greets in a sentence.', issuesFixed: ['no full stop: added'] }),
    ],
    documentation: [{ shell: 'echo "It greets." >> README.md' }, answer({ summary: 'The README says so.' })],
  },
  research: {
    questions: [answer({ questions: ['What is it?', 'Who is it for?'] })],
    initial_research: [READ, answer(FINDINGS)],
    verification: [READ, answer(APPROVED)],
    synthesis: [answer({ title: 'The project', text: 'It is an example (README.md:1).' })],
    citations: [READ, { text: 'I found each of them.' }],
  },
  architecture: {
    requirements: [READ, answer(CRITERIA)],
    prior_art: [READ, answer(FINDINGS)],
    design_options: [READ, answer(DESIGN)],
    evaluation: [answer({ ...APPROVED, criteria: MET })],
    decision: [answer({ choice: 2, reason: 'It is the simpler one.' })],
    implementation_plan: [answer({ title: 'The plan', text: '1. Write the file.' })],
  },
  'best-of': {
    try: [
      { shell: 'echo "try $MUSTER_STAGE_BRANCH" > greeting.txt && git add . && git commit -qm "Greet"' },
      answer({ summary: 'It greets.' }),
    ],
    pick: [READ, answer({ choice: 1, reason: 'It is shorter.' })],
  },
}

/** The answer to a prompt that only asks for the last answer again. */
const AGAIN = [answer(APPROVED)]

/** Makes the model do its part in every stage when a prompt asks for it. `stage 2` is the second round of a stage. */
export function playStages(model: Pick<ModelServer, 'play'>): void {
  for (const [playbook, stages] of Object.entries(PLAYBOOKS)) {
    for (const [name, steps] of Object.entries(stages)) {
      const [stage, round] = name.split(' ')
      const place = `in the stage "${stage}" of the playbook "${playbook}".`
      model.play(round === undefined ? place : `${place} This is round ${round} of the stage.`, steps)
    }
  }
  model.play('## Your last answer could not be used', AGAIN)
}

function answer(fields: object): Step {
  return { text: `This is my answer.\n${JSON.stringify({ type: 'result', ...fields })}` }
}
