/*
 * Tree-sitter queries that find the symbols in a syntax tree (`extractSymbols.ts` reads their captures):
 *
 *   @class, @function ...  a definition of this kind, see `SymbolKind`
 *   @name                  its name
 *   @body                  the part that its signature omits
 *   @keyword               the begin of its signature, if outside of the definition
 *   @container             the name of its container, if the definition is elsewhere
 *   @scope                 a container without definition, such as an `impl` of Rust
 *   @export                an import or export of a JavaScript module
 *   @exported              in it, the name of a definition of the module
 *   @ref                   a use of a name that another file may define
 *
 * If several patterns match the same name, the first pattern counts. Namespaces of C++, C# and PHP and packages of Java
 * are no definitions: most files of a project have the same ones.
 */

const FUNCTION_VALUE = '[(arrow_function body: (_) @body) (function_expression body: (_) @body)]';
const NOT_IMPORTED = '(#not-match? @value "^(await\\\\s+)?(require|import)\\\\s*\\\\(")';

/** JavaScript without types. `DECLARED` is at the top level of a file, also after `export`. */
const ECMASCRIPT = `
(class_declaration name: (_) @name body: (_) @body) @class
(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(method_definition name: (_) @name body: (_) @body) @method
${['(program DECLARED)', '(program (export_statement DECLARED))']
  .flatMap((place) => [
    place.replace('DECLARED', `(lexical_declaration (variable_declarator name: (identifier) @name value: ${FUNCTION_VALUE})) @function`),
    place.replace('DECLARED', `(variable_declaration (variable_declarator name: (identifier) @name value: ${FUNCTION_VALUE})) @function`),
    `(${place.replace('DECLARED', '(lexical_declaration (variable_declarator name: (identifier) @name value: (_) @value)) @constant')} ${NOT_IMPORTED})`,
    `(${place.replace('DECLARED', '(variable_declaration (variable_declarator name: (identifier) @name value: (_) @value)) @constant')} ${NOT_IMPORTED})`,
  ])
  .join('\n')}
(assignment_expression left: (member_expression property: (property_identifier) @name) right: ${FUNCTION_VALUE}) @function

(call_expression function: [(identifier) @ref (member_expression property: (property_identifier) @ref)])
(new_expression constructor: [(identifier) @ref (member_expression property: (property_identifier) @ref)])
(import_specifier name: (identifier) @ref)
(import_clause (identifier) @ref)
(export_specifier name: (identifier) @ref)
(decorator (identifier) @ref)

(import_statement) @export
(export_statement) @export
(export_statement (export_clause (export_specifier name: (_) @exported))) @export
(export_statement value: (identifier) @exported) @export
`;

const JSX = `
(jsx_opening_element name: [(identifier) @ref (member_expression property: (property_identifier) @ref)])
(jsx_self_closing_element name: [(identifier) @ref (member_expression property: (property_identifier) @ref)])
`;

export const JAVASCRIPT_QUERY = `${ECMASCRIPT}${JSX}
(field_definition property: (_) @name value: ${FUNCTION_VALUE}) @method
(class_heritage (identifier) @ref)
`;

export const TYPESCRIPT_QUERY = `${ECMASCRIPT}
(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name body: (_) @body) @enum
(internal_module name: (_) @name body: (_) @body) @module
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
(public_field_definition name: (_) @name value: ${FUNCTION_VALUE}) @method
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name)) @constant)

(type_identifier) @ref
(extends_clause value: (identifier) @ref)
`;

export const TSX_QUERY = TYPESCRIPT_QUERY + JSX;

export const PYTHON_QUERY = `
(class_definition name: (_) @name body: (_) @body) @class
(function_definition name: (_) @name body: (_) @body) @function
(module (expression_statement (assignment left: (identifier) @name) @constant))
(type_alias_statement left: (type (identifier) @name)) @type

(call function: [(identifier) @ref (attribute attribute: (identifier) @ref)])
(import_from_statement name: [(dotted_name (identifier) @ref) (aliased_import name: (dotted_name (identifier) @ref))])
(class_definition superclasses: (argument_list [(identifier) @ref (attribute attribute: (identifier) @ref)]))
(decorator [(identifier) @ref (attribute attribute: (identifier) @ref)])
(type [(identifier) @ref (attribute attribute: (identifier) @ref) (generic_type (identifier) @ref)])
`;

const GO_RECEIVER = `[(type_identifier) @container (generic_type type: (type_identifier) @container)
  (pointer_type [(type_identifier) @container (generic_type type: (type_identifier) @container)])]`;

export const GO_QUERY = `
(function_declaration name: (_) @name body: (_) @body) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: ${GO_RECEIVER})) name: (_) @name body: (_) @body) @method
(type_declaration "type" @keyword (type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @class)
(type_declaration "type" @keyword (type_spec name: (_) @name type: (interface_type "{" @body)) @interface)
(type_declaration "type" @keyword [(type_spec name: (_) @name) (type_alias name: (_) @name)] @type)
(interface_type (method_elem name: (_) @name) @method)
(source_file (const_declaration "const" @keyword (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration "var" @keyword (var_spec name: (identifier) @name) @constant))
(source_file (var_declaration "var" @keyword (var_spec_list (var_spec name: (identifier) @name) @constant)))

(call_expression function: (identifier) @ref)
(selector_expression field: (field_identifier) @ref)
(type_identifier) @ref
`;

export const RUST_QUERY = `
(struct_item name: (_) @name body: (_)? @body) @class
(union_item name: (_) @name body: (_) @body) @class
(enum_item name: (_) @name body: (_) @body) @enum
(trait_item name: (_) @name body: (_) @body) @interface
(type_item name: (_) @name) @type
(mod_item name: (_) @name body: (_) @body) @module
(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @constant
(macro_definition "macro_rules!" name: (_) @name [(token_tree_pattern) (macro_rule)]? @body) @function
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name)]) @scope

(call_expression function: [(identifier) @ref (field_expression field: (field_identifier) @ref) (scoped_identifier name: (identifier) @ref)
  (generic_function function: [(identifier) @ref (scoped_identifier name: (identifier) @ref) (field_expression field: (field_identifier) @ref)])])
(macro_invocation macro: [(identifier) @ref (scoped_identifier name: (identifier) @ref)])
(use_declaration argument: [(identifier) @ref (scoped_identifier name: (identifier) @ref)])
(use_list [(identifier) @ref (scoped_identifier name: (identifier) @ref)])
(use_as_clause path: [(identifier) @ref (scoped_identifier name: (identifier) @ref)])
(type_identifier) @ref
((identifier) @ref (#match? @ref "^[A-Z][A-Z0-9_]+$"))
`;

export const JAVA_QUERY = `
(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(annotation_type_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_) @body) @method
((field_declaration (modifiers) @value declarator: (variable_declarator name: (_) @name)) @constant (#match? @value "static") (#match? @value "final"))
(constant_declaration declarator: (variable_declarator name: (_) @name)) @constant

(method_invocation name: (identifier) @ref)
(method_reference (identifier) @ref)
(type_identifier) @ref
(import_declaration (scoped_identifier name: (identifier) @ref))
(annotation name: (identifier) @ref)
(marker_annotation name: (identifier) @ref)
((identifier) @ref (#match? @ref "^[A-Z][A-Z0-9_]+$"))
`;

const CPP_NAMES = `[(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
  (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: [(identifier) (destructor_name) (operator_name)] @name)
  (qualified_identifier name: (qualified_identifier scope: (namespace_identifier) @container name: [(identifier) (destructor_name) (operator_name)] @name))]`;

const cppFunctions = (node: string, end: string): string =>
  ['FUNCTION', '(pointer_declarator declarator: FUNCTION)', '(reference_declarator FUNCTION)']
    .map((outer) => `(${node} declarator: ${outer.replace('FUNCTION', `(function_declarator declarator: ${CPP_NAMES})`)}${end}) @function`)
    .join('\n');

const CPP_CONSTANT = '(declaration (type_qualifier) @value declarator: (init_declarator declarator: (identifier) @name)) @constant';

export const CPP_QUERY = `
(class_specifier name: (type_identifier) @name body: (_) @body) @class
(struct_specifier name: (type_identifier) @name body: (_) @body) @class
(union_specifier name: (type_identifier) @name body: (_) @body) @class
(enum_specifier name: (type_identifier) @name body: (_) @body) @enum
(type_definition declarator: (type_identifier) @name) @type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type
(alias_declaration name: (_) @name) @type
${cppFunctions('function_definition', ' body: (_) @body')}
${cppFunctions('declaration', '')}
${cppFunctions('field_declaration', '')}
(preproc_def name: (_) @name value: (_)) @constant
(preproc_function_def name: (_) @name value: (_) @body) @function
([(translation_unit ${CPP_CONSTANT}) (declaration_list ${CPP_CONSTANT})] (#any-of? @value "const" "constexpr"))

(call_expression function: [(identifier) @ref (field_expression field: (field_identifier) @ref)
  (qualified_identifier name: [(identifier) @ref (qualified_identifier name: (identifier) @ref)])
  (template_function name: (identifier) @ref)])
(type_identifier) @ref
((identifier) @ref (#match? @ref "^[A-Z][A-Z0-9_]+$"))
`;

export const CSHARP_QUERY = `
(class_declaration name: (_) @name body: (_)? @body) @class
(struct_declaration name: (_) @name body: (_)? @body) @class
(record_declaration name: (_) @name body: (_)? @body) @class
(interface_declaration name: (_) @name body: (_)? @body) @interface
(enum_declaration name: (_) @name body: (_)? @body) @enum
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_)? @body) @method
((field_declaration (modifier) @value (variable_declaration (variable_declarator name: (_) @name))) @constant (#eq? @value "const"))

(invocation_expression function: [(identifier) @ref (generic_name (identifier) @ref)
  (member_access_expression name: [(identifier) @ref (generic_name (identifier) @ref)])])
(member_access_expression expression: (identifier) @ref (#match? @ref "^[A-Z]"))
(_ type: [(identifier) @ref (generic_name (identifier) @ref) (nullable_type type: (identifier) @ref) (array_type type: (identifier) @ref)])
(_ returns: [(identifier) @ref (generic_name (identifier) @ref)])
(base_list [(identifier) @ref (generic_name (identifier) @ref)])
(type_argument_list [(identifier) @ref (generic_name (identifier) @ref)])
(attribute name: (identifier) @ref)
`;

export const RUBY_QUERY = `
(class name: [(constant) @name (scope_resolution name: (constant) @name)] body: (_)? @body) @class
(module name: [(constant) @name (scope_resolution name: (constant) @name)] body: (_)? @body) @module
(method name: (_) @name body: (_)? @body) @function
(singleton_method name: (_) @name body: (_)? @body) @function
(assignment left: (constant) @name) @constant

(call method: (identifier) @ref)
(constant) @ref
`;

export const PHP_QUERY = `
(class_declaration name: (_) @name body: (_) @body) @class
(trait_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(function_definition name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_)? @body) @method
(const_declaration (const_element (name) @name)) @constant

(function_call_expression function: [(name) @ref (qualified_name (name) @ref)])
(member_call_expression name: (name) @ref)
(nullsafe_member_call_expression name: (name) @ref)
(scoped_call_expression scope: [(name) @ref (qualified_name (name) @ref)])
(scoped_call_expression name: (name) @ref)
(class_constant_access_expression (name) @ref)
(object_creation_expression [(name) @ref (qualified_name (name) @ref)])
(named_type [(name) @ref (qualified_name (name) @ref)])
(base_clause [(name) @ref (qualified_name (name) @ref)])
(class_interface_clause [(name) @ref (qualified_name (name) @ref)])
(use_declaration [(name) @ref (qualified_name (name) @ref)])
(namespace_use_clause [(name) @ref (qualified_name (name) @ref)])
(attribute (name) @ref)
`;
