import type { BrokenPlaybook } from './broken-playbook.ts'

/** Playbooks with fields, types and names that are wrong. */
export const BAD_FIELDS: Readonly<Record<string, BrokenPlaybook>> = {
  'typo field': {
    edit: { 'description:': 'descripton:' },
    faults: [
      '1:1 description: is required and must be text',
      '3:1 descripton: is not a known field; did you mean "description"?',
    ],
  },
  'unknown stage field': {
    edit: { '    from: head': '    form: head' },
    faults: ['29:5 stages.implement.form: is not a known field; did you mean "from"?'],
  },
  'unknown tools': {
    edit: {
      'unlike: developer }': 'tools: [inbox, skill, bash] }',
      '    from: head': '    tools: [sned]',
    },
    faults: [
      '9:88 roles.reviewer.tools[1]: there is no tool "skill"; did you mean "skills"?',
      '9:95 roles.reviewer.tools[2]: there is no tool "bash"; there are: inbox, read, thread, send, progress, complete, ask, handoff, skills',
      '29:13 stages.implement.tools[0]: there is no tool "sned"; did you mean "send"?',
    ],
  },
  'unknown role field': {
    edit: { 'unlike: developer': 'unlik: developer' },
    faults: ['9:73 roles.reviewer.unlik: is not a known field; did you mean "unlike"?'],
  },
  'field like nothing': {
    edit: { 'limits: {': 'zebra: 1\nlimits: {' },
    faults: ['10:1 zebra: is not a known field'],
  },
  'version 2': { edit: { 'version: 1': 'version: 2' }, faults: ['1:1 version: must be 1, the only version'] },
  'no version': { edit: { 'version: 1\n': '' }, faults: ['1:1 version: must be 1, the only version'] },
  'limits as list': {
    edit: { 'limits: { minutes: 60 }': 'limits: [60]' },
    faults: ['10:1 limits: must be a mapping of fields'],
  },
  'negative minutes': {
    edit: { 'minutes: 60': 'minutes: -1' },
    faults: ['10:11 limits.minutes: must be more than 0'],
  },
  'a run that is too long': {
    edit: { 'limits: { minutes: 60 }': 'limits: { minutes: 1441 }' },
    faults: ['10:11 limits.minutes: must be 1440 or less'],
  },
  'too many visits at once': {
    edit: { 'limits: { minutes: 60 }': 'limits: { minutes: 60, parallel: 9 }' },
    faults: ['10:24 limits.parallel: must be 8 or less'],
  },
  'a visit that is too long': {
    edit: { '    from: head': '    minutes: 241' },
    faults: ['29:5 stages.implement.minutes: must be 240 or less'],
  },
  'a gate that waits too long': {
    edit: { 'if: { inputs.gate: always } }': 'hours: 721 }' },
    faults: ['51:43 stages.approval.gate.hours: must be 720 or less'],
  },
  'stage minutes text': {
    edit: { '    from: head': '    minutes: soon' },
    faults: ['29:5 stages.implement.minutes: must be a number'],
  },
  'max 0': {
    edit: { 'max: 1, then': 'max: 0, then' },
    faults: ['55:31 stages.approval.on.denied.max: must be 1 or more'],
  },
  'max 1.5': {
    edit: { 'max: 1, then': 'max: 1.5, then' },
    faults: ['55:31 stages.approval.on.denied.max: must be a whole number'],
  },
  'route without then': {
    edit: { '{ next: revise, max: 1, then: end.partial }': '{ next: revise, max: 1 }' },
    faults: ['55:7 stages.approval.on.denied.then: is required and must be text'],
  },
  'route without max': {
    edit: { '{ next: revise, max: 1, then: end.partial }': '{ next: revise, then: end.partial }' },
    faults: ['55:7 stages.approval.on.denied.max: is required and must be a number'],
  },
  'route extra': {
    edit: { '{ next: revise, max: 1, then: end.partial }': '{ next: revise, max: 1, than: end.partial }' },
    faults: [
      '55:7 stages.approval.on.denied.then: is required and must be text',
      '55:39 stages.approval.on.denied.than: is not a known field; did you mean "then"?',
    ],
  },
  'route null': {
    edit: { 'allowed: tries': 'allowed:' },
    faults: [
      '53:7 stages.approval.on.allowed: must be the name of a stage, an end such as end.land, or { next, max, then }',
    ],
  },
  'choose without else': {
    edit: { '    else: implement\n': '' },
    faults: ['18:3 stages.route.else: is required and must be text'],
  },
  'input type': {
    edit: { 'type: choice': 'type: chioce' },
    faults: ['6:11 inputs.gate.type: must be one of: text, number, choice'],
  },
  'input no type': {
    edit: { '{ type: number, default': '{ default' },
    faults: ['5:3 inputs.n.type: must be one of: text, number, choice'],
  },
  'default out of range': {
    edit: { 'default: 3': 'default: 9' },
    faults: ['5:22 inputs.n.default: must be from 1 to 8'],
  },
  'default not choice': {
    edit: { 'default: never': 'default: maybe' },
    faults: ['6:46 inputs.gate.default: must be one of: never, always'],
  },
  'default text for number': {
    edit: { 'default: 3': 'default: three' },
    faults: ['5:22 inputs.n.default: must be a number'],
  },
  'required default': {
    edit: { 'default: 3': 'default: 3, required: true' },
    faults: ['5:22 inputs.n.default: is never used, because the input is required; leave one of them out'],
  },
  'times 9': {
    edit: { 'times: inputs.n': 'times: 9' },
    faults: ['59:5 stages.tries.times: must be 8 or less'],
  },
  'times 1.5': {
    edit: { 'times: inputs.n': 'times: 1.5' },
    faults: ['59:5 stages.tries.times: must be a whole number, or a number such as inputs.n'],
  },
  'times true': {
    edit: { 'times: inputs.n': 'times: true' },
    faults: ['59:5 stages.tries.times: must be a whole number, or a number such as inputs.n'],
  },
  'times list': {
    edit: { 'times: inputs.n': 'times: inputs.gate' },
    faults: ['59:5 stages.tries.times: "inputs.gate" must be a number'],
  },
  'unknown mode': {
    edit: { 'mode: read': 'mode: reads' },
    faults: ['9:15 roles.reviewer.mode: must be one of: read, write, model'],
  },
  'agents empty': {
    edit: { 'agents: [worker]': 'agents: []' },
    faults: ['8:53 roles.developer.agents: must not be empty'],
  },
  'two kinds': {
    edit: { '    playbook: solo': '    playbook: solo\n    role: developer' },
    faults: ['66:3 stages.child: may have only one of: role, checks, gate, choose, playbook'],
  },
  'no kind': {
    edit: { '    playbook: solo\n': '' },
    faults: ['66:3 stages.child: needs one of: role, checks, gate, choose, playbook'],
  },
  'typo in the kind': {
    edit: { '    playbook: solo': '    playbok: solo' },
    faults: ['67:5 stages.child.playbok: is not a known field; did you mean "playbook"?'],
  },
  'field of another kind': {
    edit: { '    else: implement': '    else: implement\n    on: { done: check }' },
    faults: ["22:5 stages.route.on: can't be used here"],
  },
  'optional change of several at once': {
    edit: { '    times: inputs.n\n    output: change': '    times: inputs.n\n    output: change?' },
    faults: [
      '60:5 stages.tries.output: must be "change" in a stage with several visits at once, because each is a candidate',
    ],
  },
  'stage is text': {
    edit: {
      '  child:\n    playbook: solo\n    on: { complete: end.land, partial: end.partial, failed: end.failed }':
        '  child: solo',
    },
    faults: ['66:3 stages.child: must be a mapping of names'],
  },
  'bad stage name': {
    edit: { '  child:\n': '  Child:\n' },
    faults: ['66:3 stages.Child: must be up to 64 lower-case letters, digits, "_" and "-"'],
  },
  'proto stage': {
    edit: { '  child:\n': '  __proto__:\n' },
    faults: ["66:3 stages.__proto__: can't be used as a name"],
  },
  'proto extra stage': {
    edit: {
      'stages:\n': 'stages:\n  __proto__: { checks: project, on: { pass: end.land, fail: end.failed } }\n',
    },
    faults: ["13:3 stages.__proto__: can't be used as a name"],
  },
  'proto outcome': {
    edit: { 'on: { one: end.land,': 'on: { __proto__: end.land, one: end.land,' },
    faults: ["65:11 stages.verify.on.__proto__: can't be used as a name"],
  },
  'proto field': {
    edit: { 'limits: {': '__proto__: 1\nlimits: {' },
    faults: ["10:1 __proto__: can't be used as a name"],
  },
  'proto role': {
    edit: { 'roles:\n': 'roles:\n  __proto__: { mode: read, prompt: ./developer.md, agents: [worker] }\n' },
    faults: ["8:3 roles.__proto__: can't be used as a name"],
  },
  'proto input': {
    edit: { 'inputs:\n': 'inputs:\n  __proto__: { type: text }\n' },
    faults: ["5:3 inputs.__proto__: can't be used as a name"],
  },
  'proto condition': {
    edit: { 'criteria.needsDesign: true': '__proto__: true, criteria.needsDesign: true' },
    faults: ["20:17 stages.route.choose[0].if.__proto__: can't be used as a name"],
  },
  'constructor outcome': {
    edit: { 'on: { one: end.land,': 'on: { constructor: end.land, one: end.land,' },
    faults: [
      '65:11 stages.verify.on.constructor: there is no outcome "constructor"; there are: some, one, none',
    ],
  },
  'constructor role': {
    edit: { '    role: developer\n    times': '    role: constructor\n    times' },
    faults: ['58:5 stages.tries.role: there is no role "constructor"; there are: developer, reviewer'],
  },
  'constructor each': {
    edit: { 'each: tries': 'each: constructor' },
    faults: [
      '64:5 stages.verify.each: there is no stage "constructor"; there are: criteria, route, design, implement, check, review, revise, approval, tries, verify, child',
    ],
  },
  'constructor start': {
    edit: { 'start: criteria': 'start: constructor' },
    faults: [
      '11:1 start: there is no stage "constructor"; there are: criteria, route, design, implement, check, review, revise, approval, tries, verify, child',
    ],
  },
  'constructor target': {
    edit: { 'some: child': 'some: constructor' },
    faults: [
      '65:26 stages.verify.on.some: there is no stage "constructor"; there are: criteria, route, design, implement, check, review, revise, approval, tries, verify, child',
    ],
  },
  'constructor unlike': {
    edit: { 'unlike: developer': 'unlike: constructor' },
    faults: ['9:73 roles.reviewer.unlike: there is no role "constructor"; there are: developer, reviewer'],
  },
  'constructor input': {
    edit: { 'times: inputs.n': 'times: inputs.constructor' },
    faults: ['59:5 stages.tries.times: there is no input "constructor"; there are: goal, n, gate'],
  },
  'constructor field': {
    edit: { 'check.output]\n    output: review': 'check.constructor]\n    output: review' },
    faults: [
      '38:18 stages.review.sees[1]: there is no field of "check" "constructor"; there are: output, passed, best',
    ],
  },
  'constructor format': {
    edit: { 'output: criteria': 'output: constructor' },
    faults: [
      '16:5 stages.criteria.output: there is no format "constructor"; there are: change, criteria, design, questions, findings, review, choice, document',
    ],
  },
}
