import type { BrokenPlaybook } from './broken-playbook.ts'

/** Playbooks in which several things are wrong: each is reported, and nothing that only follows from another. */
export const BAD_TOGETHER: Readonly<Record<string, BrokenPlaybook>> = {
  'several fields, the name and a prompt at once': {
    edit: {
      'version: 1': 'version: 2',
      '    from: head': '    form: head',
      './developer.md': './gone.md',
      'some: child': 'some: chlid',
      'name: trial': 'name: other',
      'start: criteria': 'start: critera',
    },
    faults: [
      '1:1 version: must be 1, the only version',
      '2:1 name: must be "trial", the name of its folder',
      "8:29 roles.developer.prompt: ./gone.md doesn't exist",
      '11:1 start: there is no stage "critera"; did you mean "criteria"?',
      '29:5 stages.implement.form: is not a known field; did you mean "from"?',
      '65:26 stages.verify.on.some: there is no stage "chlid"; did you mean "child"?',
    ],
  },
  'a version, a field, a role and an outcome at once': {
    edit: {
      'version: 1': 'version: 2',
      '    from: head': '    minuts: 10',
      'role: developer\n    sees: [review': 'role: develper\n    sees: [review',
      '      REJECTED: end.partial\n': '',
      'denied: { next: revise, max: 1, then: end.partial }': 'denied: { next: revsie, max: 1 }',
      'n: { type: number, default: 3, max: 8 }': 'n: { type: nubmer, default: 3, max: 8 }',
    },
    faults: [
      '1:1 version: must be 1, the only version',
      '5:8 inputs.n.type: must be one of: text, number, choice',
      '29:5 stages.implement.minuts: is not a known field; did you mean "minutes"?',
      '40:5 stages.review.on: the outcome "REJECTED" has no route; add one',
      '45:5 stages.revise.role: there is no role "develper"; did you mean "developer"?',
      '54:7 stages.approval.on.denied.then: is required and must be text',
    ],
  },
  'parts that others refer to': {
    edit: {
      'roles:\n': 'rolse:\n',
      'inputs:\n': 'input:\n',
      '    output: ./design': '    outptu: ./design',
      '    times: inputs.n\n': '    tmies: 3\n',
    },
    faults: [
      '4:1 input: is not a known field; did you mean "inputs"?',
      '7:1 rolse: is not a known field; did you mean "roles"?',
      '22:3 stages.design.output: is required and must be text',
      '25:5 stages.design.outptu: is not a known field; did you mean "output"?',
      '59:5 stages.tries.tmies: is not a known field; did you mean "times"?',
    ],
  },
  'a format that does not exist': {
    edit: {
      '    output: review\n': '    output: reveiw\n',
      '    output: change\n    on: { done: check, failed: end.failed }':
        '    output: chnage\n    on: { done: check, failed: end.failed }',
    },
    faults: [
      '31:5 stages.implement.output: there is no format "chnage"; did you mean "change"?',
      '39:5 stages.review.output: there is no format "reveiw"; did you mean "review"?',
    ],
  },
  'several names and a prompt at once': {
    edit: {
      './developer.md': './gone.md',
      'some: child': 'some: chlid',
      'name: trial': 'name: other',
      'start: criteria': 'start: critera',
      'check.output]\n    output: review': 'check.outptu]\n    output: review',
    },
    faults: [
      '2:1 name: must be "trial", the name of its folder',
      "8:29 roles.developer.prompt: ./gone.md doesn't exist",
      '11:1 start: there is no stage "critera"; did you mean "criteria"?',
      '38:18 stages.review.sees[1]: there is no field of "check" "outptu"; did you mean "output"?',
      '65:26 stages.verify.on.some: there is no stage "chlid"; did you mean "child"?',
    ],
  },
}
