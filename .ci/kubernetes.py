"""Validates manifests with the schemas of Kubernetes, and a FlinkDeployment with that of Flink's operator.

kubernetes.py operator.jar <perceptron.yaml: a field that the schema does not have is an error too.
"""
import sys, zipfile
import jsonschema, kubernetes_validate, yaml


def strict(schema):
    """Forbids fields that an object's properties do not name."""
    if isinstance(schema, list):
        return [strict(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object" and "x-kubernetes-preserve-unknown-fields" not in schema:
        schema.setdefault("additionalProperties", False)
    return schema


with zipfile.ZipFile(sys.argv[1]) as jar:
    crd = yaml.safe_load(jar.read("META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml"))
flink = strict(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"])
flink["properties"].update(dict.fromkeys(["apiVersion", "kind"], {"type": "string"}), metadata={"type": "object"})
version = crd["spec"]["group"] + "/" + crd["spec"]["versions"][0]["name"]
for document in yaml.safe_load_all(sys.stdin):
    if document["kind"] == "FlinkDeployment":
        assert document["apiVersion"] == version, version
        jsonschema.Draft202012Validator(flink).validate(document)
    else:
        kubernetes_validate.validate(document, "1.31", strict=True)
    print(document["kind"], "is valid")
