package perceptron

import "perceptron/internal/saved"

// savedPlane is the saved form of a Hyperplane: its fields, without its methods.
type savedPlane Hyperplane

func savePlane(h Hyperplane) savedPlane { return savedPlane{listed(h.Weights), h.Bias} }

// listed returns a copy of s that is not nil: encoding/json writes nil as null.
func listed[E any](s []E) []E { return append([]E{}, s...) }

// savedSeparation is the saved form of a Separation.
type savedSeparation struct {
	Space       Space      `json:"space"`
	Separable   bool       `json:"separable"`
	Hyperplane  Hyperplane `json:"hyperplane"`
	Lower       float64    `json:"lower"`
	Upper       float64    `json:"upper"`
	Radius      float64    `json:"radius"`
	Multipliers []float64  `json:"multipliers"`
}

// MarshalBinary returns the JSON form in a frame.
func (h Hyperplane) MarshalBinary() ([]byte, error) { return saved.AppendFrame(nil, h) }

// UnmarshalBinary replaces h by what MarshalBinary wrote.
func (h *Hyperplane) UnmarshalBinary(data []byte) error { return h.read(data, saved.ReadFrame) }

// MarshalJSON returns {"weights":[…],"bias":…}, with every bit.
func (h Hyperplane) MarshalJSON() ([]byte, error) {
	return saved.JSON(savePlane(h), h.checkNumbers(Affine))
}

// UnmarshalJSON replaces h. Both fields must be there, and no others.
func (h *Hyperplane) UnmarshalJSON(data []byte) error { return h.read(data, saved.ReadJSON) }

func (h *Hyperplane) read(data []byte, read saved.Reader) error {
	var form savedPlane
	return read(data, &form, func() error { *h = Hyperplane(form); return nil })
}

// MarshalBinary returns the JSON form in a frame.
func (s Separation) MarshalBinary() ([]byte, error) { return saved.AppendFrame(nil, s) }

// UnmarshalBinary replaces s, and leaves it to Verify to check the claims.
func (s *Separation) UnmarshalBinary(data []byte) error { return s.read(data, saved.ReadFrame) }

// MarshalJSON returns an object with the fields, in small letters.
func (s Separation) MarshalJSON() ([]byte, error) {
	form := savedSeparation(s)
	form.Multipliers = listed(s.Multipliers)
	return saved.JSON(form, s.validate())
}

// UnmarshalJSON replaces s, and leaves it to Verify to check the claims.
func (s *Separation) UnmarshalJSON(data []byte) error { return s.read(data, saved.ReadJSON) }

func (s *Separation) read(data []byte, read saved.Reader) error {
	var form savedSeparation
	return read(data, &form, func() error {
		err := (*Separation)(&form).validate()
		if err == nil {
			*s = Separation(form)
		}
		return saved.At("", err)
	})
}
