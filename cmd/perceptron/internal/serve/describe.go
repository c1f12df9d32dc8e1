package serve

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"perceptron/cmd/perceptron/internal/table"
)

// description is the description of the service without the names of a model.
//
//go:embed openapi.yaml
var description []byte

// A schema is a JSON Schema.
type schema map[string]any

// describe answers with the description of the service with its model.
func (s *service) describe(w http.ResponseWriter, _ *http.Request) {
	out := slices.Clone(description)
	st := s.current.Load()
	class := schema{"enum": st.file.Classes}
	if st.leavesOut() {
		class = orNull(class) // a value of the row is missing
	}
	for name, part := range map[string]schema{"Row": st.rowSchema(s.Unknown == "none"), "Class": class, "ClassToLearn": {"enum": spellings(st.file.Classes)}} {
		text, _ := json.Marshal(part) // which is YAML, too
		out = fmt.Appendf(out, "    %s: %s\n", name, text)
	}
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(out)
}

// rowSchema describes a row: an object, or an array in the order of the columns.
func (st *state) rowSchema(skipUnknown bool) schema {
	properties, columns := schema{}, []schema{}
	required := []string{}
	for _, c := range st.file.Schema.Columns {
		v := schema{"type": "number"}
		if len(c.Categories) > 0 {
			v = schema{"enum": spellings(c.Categories)}
			if skipUnknown {
				v = schema{"type": []string{"string", "number"}}
			}
		}
		if st.file.Schema.Missing == table.MissingError {
			required = append(required, c.Name)
		} else {
			v = orNull(v)
		}
		properties[c.Name] = v
		columns = append(columns, v)
	}
	return schema{"oneOf": []schema{
		{"type": "object", "additionalProperties": false, "properties": properties, "required": required},
		{"type": "array", "prefixItems": columns, "minItems": len(columns), "maxItems": len(columns)},
	}}
}

func orNull(s schema) schema { return schema{"anyOf": []schema{s, {"type": "null"}}} }

// spellings returns names, and the numbers that a request may send instead of names.
func spellings(names []string) (all []any) {
	for _, name := range names {
		all = append(all, name)
		if v, err := strconv.ParseFloat(name, 64); err == nil && strconv.FormatFloat(v, 'g', -1, 64) == name {
			all = append(all, v)
		}
	}
	return all
}
