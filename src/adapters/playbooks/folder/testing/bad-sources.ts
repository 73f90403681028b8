import type { BrokenPlaybook } from './broken-playbook.ts'

/** Playbooks whose roles, prompts, schemas or syntax are wrong. */
export const BAD_SOURCES: Readonly<Record<string, BrokenPlaybook>> = {
  'unlike self': {
    edit: { 'unlike: developer': 'unlike: reviewer' },
    faults: ['9:73 roles.reviewer.unlike: names its own role; a role can only differ from another'],
  },
  'unlike unknown': {
    edit: { 'unlike: developer': 'unlike: develper' },
    faults: ['9:73 roles.reviewer.unlike: there is no role "develper"; did you mean "developer"?'],
  },
  'reading role that makes a change': {
    edit: { 'mode: write': 'mode: read' },
    faults: [
      '31:5 stages.implement.output: the role "developer" can\'t write, so it can\'t make a change',
      '48:5 stages.revise.output: the role "developer" can\'t write, so it can\'t make a change',
      '60:5 stages.tries.output: the role "developer" can\'t write, so it can\'t make a change',
    ],
  },
  'writing role that answers': {
    edit: { 'mode: read': 'mode: write' },
    faults: [
      '16:5 stages.criteria.output: the role "reviewer" writes, so its output must be "change" or "change?"',
      '25:5 stages.design.output: the role "reviewer" writes, so its output must be "change" or "change?"',
      '39:5 stages.review.output: the role "reviewer" writes, so its output must be "change" or "change?"',
    ],
  },
  'unknown shipped prompt': {
    edit: { 'builtin/reviewer': 'builtin/reviwer' },
    faults: ['9:27 roles.reviewer.prompt: there is no shipped prompt "reviwer"; did you mean "reviewer"?'],
  },
  'shipped prompt outside its folder': {
    edit: { 'builtin/reviewer': 'builtin/../solo/playbook' },
    faults: [
      '9:27 roles.reviewer.prompt: there is no shipped prompt "../solo/playbook"; there are: architect, design-reviewer, developer, editor, finder, judge, research-reviewer, researcher, reviewer, tester',
    ],
  },
  'prompt outside the folder': {
    edit: { './developer.md': '../developer.md' },
    faults: ["8:29 roles.developer.prompt: ../developer.md is outside the playbook's folder"],
  },
  'absolute prompt': {
    edit: { './developer.md': '/etc/passwd' },
    faults: ["8:29 roles.developer.prompt: /etc/passwd is outside the playbook's folder"],
  },
  'prompt that is the folder': {
    edit: { './developer.md': './' },
    faults: ["8:29 roles.developer.prompt: ./ is outside the playbook's folder"],
  },
  'playbook that runs itself': {
    edit: { 'playbook: solo': 'playbook: trial' },
    faults: ["67:5 stages.child.playbook: a playbook can't run itself; name another one"],
  },
  'stage goal': {
    edit: { '  child:\n': '  goal:\n', 'some: child': 'some: goal' },
    faults: ["66:3 stages.goal: can't be the name of a stage: it has a meaning of its own"],
  },
  'goal number': {
    edit: { 'inputs:\n': 'inputs:\n  goal: { type: number }\n' },
    faults: ['5:3 inputs.goal: every run has a goal; write { type: text, required: true } or leave it out'],
  },
  'smallest value above the largest': {
    edit: { 'max: 8 }': 'min: 5, max: 4 }' },
    faults: ['5:34 inputs.n.min: must not be more than 4, the largest value'],
  },
  'own schema bad': {
    edit: { 'criteria.needsDesign: true': 'design.size: huge' },
    faults: [
      '20:17 stages.route.choose[0].if.design.size: "design.size" is never "huge"; it is one of: small, large',
    ],
  },
  'schema missing': {
    edit: { './design.schema': './desing.schema' },
    faults: ["25:5 stages.design.output: ./desing.schema.json doesn't exist"],
  },
  'schema without ./': {
    edit: { './design.schema': 'design.schema' },
    faults: [
      '25:5 stages.design.output: there is no format "design.schema.json"; there are: change, criteria, design, questions, findings, review, choice, document',
    ],
  },
  empty: { edit: '', faults: ['1:1 : must be a mapping of fields'] },
  list: { edit: '- a\n- b\n', faults: ['1:1 : must be a mapping of fields'] },
  text: { edit: 'hello', faults: ['1:1 : must be a mapping of fields'] },
  'not yaml': {
    edit: 'a: [b\nc: }',
    faults: ['1:4 : not valid YAML: "[" is never closed'],
  },
  tabs: {
    edit: { '  criteria:\n': '\tcriteria:\n' },
    faults: ['13:1 : not valid YAML: Tabs are not allowed as indentation'],
  },
  'duplicate field': {
    edit: { 'start: criteria': 'start: criteria\nstart: route' },
    faults: ['12:1 : not valid YAML: "start" is there twice, first in line 11'],
  },
  'duplicate stage': {
    edit: { '  child:\n': '  verify:\n' },
    faults: ['66:3 : not valid YAML: "verify" is there twice, first in line 62'],
  },
  unresolved: {
    edit: { 'start: criteria': 'start: *nowhere' },
    faults: ['-:- : is not valid YAML: Unresolved alias (the anchor must be set before the alias): nowhere'],
  },
  circular: {
    edit: 'a: &a { b: *a }',
    faults: [
      '1:1 version: must be 1, the only version',
      '1:1 name: is required and must be text',
      '1:1 description: is required and must be text',
      '1:1 start: is required and must be text',
      '1:1 stages: is required and must be a mapping of names',
      '1:1 a: is not a known field',
    ],
  },
  'two docs': {
    edit: { 'version: 1': 'version: 1\n---' },
    faults: ['2:1 : not valid YAML: Source contains multiple documents; please use YAML.parseAllDocuments()'],
  },
}
